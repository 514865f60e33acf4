import { useListContext, useTranslate } from 'ra-core';
import { ReferenceInput, SelectInput, type SelectInputProps } from 'ra-ui-materialui';
import { dayFilters } from '../shared/lists/filters.tsx';
import { ACTIONS, SUBJECTS, useWords } from './words.ts';

type Kind = 'actions' | 'subjects';

/** A filter by known name. An unknown name in the address is offered as it is. */
function NameFilter({ kind, names, ...props }: SelectInputProps & { kind: Kind; names: string[]; source: string }) {
  const wordFor = useWords();
  const translate = useTranslate();
  const filters = useListContext().filterValues as Record<string, unknown>;
  const current = filters[props.source];
  const all = typeof current === 'string' && !names.includes(current) ? [current, ...names] : names;
  const choices = all.map((id) => ({ id, name: wordFor(kind, id) ?? id }));
  return (
    <SelectInput
      {...props}
      label={translate(`resources.audit.fields.${props.source}`)}
      choices={choices}
      translateChoice={false}
      sx={{ minWidth: 180 }}
    />
  );
}

export const filters = [
  <ReferenceInput key="admin_id" source="admin_id" reference="administrators" perPage={100} alwaysOn>
    <SelectInput label="resources.audit.fields.admin_name" optionText="name" sx={{ minWidth: 180 }} />
  </ReferenceInput>,
  <NameFilter key="action" source="action" kind="actions" names={ACTIONS} alwaysOn />,
  <NameFilter key="subject" source="subject" kind="subjects" names={SUBJECTS} alwaysOn />,
  ...dayFilters,
];

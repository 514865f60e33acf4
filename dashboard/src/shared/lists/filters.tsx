import { AutocompleteInput, DateInput, ReferenceInput, SelectInput, TextInput } from 'ra-ui-materialui';
import { isolated } from '../../i18n/direction.ts';

/* Filters of lists. Their values are in the address. */

/** A filter with fixed choices. `label`, `all` and `<texts>.<choice>` are text keys. */
export const choiceFilter = (
  source: string,
  label: string,
  choices: readonly string[],
  texts: string,
  all?: string,
) => (
  <SelectInput
    key={source}
    source={source}
    label={label}
    alwaysOn
    emptyText={all}
    choices={choices.map((id) => ({ id, name: `${texts}.${id}` }))}
    sx={{ minWidth: 140 }}
  />
);

/** A filter by person, searched by name, e-mail, phone or id. */
export const personFilter = (label = 'filters.person') => (
  <ReferenceInput key="user_id" source="user_id" reference="people" label={label}>
    <AutocompleteInput
      label={label}
      optionText={({ name, email }: { name: string; email: string }) => `${isolated(name)} (${email})`}
      filterToQuery={(text: string) => ({ ...(text !== '' && { q: text }) })}
      sx={{ minWidth: 240 }}
    />
  </ReferenceInput>
);

/** A filter by the number of a deposit. */
export const depositFilter = (
  <TextInput
    key="deposit_id"
    source="deposit_id"
    label="filters.deposit"
    parse={(typed: string) => typed.replace(/\D/g, '') || null}
    slotProps={{ htmlInput: { inputMode: 'numeric' } }}
  />
);

/** Filters by day of creation, inclusive. */
export const dayFilters = [
  <DateInput key="from" source="from" label="filters.from" />,
  <DateInput key="to" source="to" label="filters.to" />,
];

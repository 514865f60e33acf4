import Box from '@mui/material/Box';
import { useRecordContext, useResourceContext, useTranslate, type RaRecord } from 'ra-core';
import { Column } from './column.tsx';
import { useText } from '../../i18n/i18n.ts';
import { Action } from '../forms/action.tsx';
import { Field } from '../forms/field.tsx';
import { NumberField } from '../forms/number-field.tsx';
import { Listing, Table } from './listing.tsx';
import { PlainMoney } from '../money/plain-money.tsx';
import type { Fields } from '../forms/submission.ts';
import { useRights } from '../queries/rights.ts';
import { Time } from '../time/time.tsx';

export interface CatalogueField {
  name: string;
  isNumber?: boolean;
  /** An amount in the system's currency. */
  isMoney?: boolean;
}

/** The fields that differ from the shown record. Sending only these does not undo another administrator's changes. */
const changesOf = (fields: Fields, record: RaRecord) =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => value.trim() !== String(record[name])));

/** The texts of the current resource by key: `add` is `resources.skills.add`. */
function useResourceText() {
  const translate = useTranslate();
  const resource = useResourceContext() ?? '';
  return (name: string, values?: Record<string, unknown>) => translate(`resources.${resource}.${name}`, values);
}

function Inputs({ fields, record }: { fields: CatalogueField[]; record?: RaRecord }) {
  const text = useResourceText();
  return fields.map(({ name, isNumber = false }, index) => {
    const field = { name, label: text(`fields.${name}`), autoFocus: index === 0 };
    if (!isNumber)
      return <Field key={name} {...field} defaultValue={record?.[name] as string | undefined} autoComplete="off" />;
    return <NumberField key={name} {...field} hint={text(`hints.${name}`)} initial={record && Number(record[name])} />;
  });
}

function Add({ fields }: { fields: CatalogueField[] }) {
  const text = useResourceText();
  const t = useText();
  const resource = useResourceContext() ?? '';
  return (
    <Action
      label={text('add')}
      title={text('add')}
      done={t('states.saved')}
      run={(provider, data) => provider.create(resource, { data })}
      button={{ variant: 'contained' }}
    >
      <Inputs fields={fields} />
    </Action>
  );
}

function Change({ fields }: { fields: CatalogueField[] }) {
  const text = useResourceText();
  const t = useText();
  const translate = useTranslate();
  const resource = useResourceContext() ?? '';
  const record = useRecordContext();
  if (!record) return null;
  const { id } = record;
  const name = String(record['name']);
  return (
    <Box sx={{ display: 'flex', gap: 1, justifyContent: 'flex-end' }}>
      <Action
        label={translate('ra.action.edit')}
        title={text('change', { name })}
        done={t('states.saved')}
        run={async (provider, values) => {
          const data = changesOf(values, record);
          if (Object.keys(data).length > 0) await provider.update(resource, { id, data, previousData: { id } });
        }}
      >
        <Inputs fields={fields} record={record} />
      </Action>
      <Action
        label={translate('ra.action.delete')}
        title={text('remove', { name })}
        done={text('removed', { name })}
        run={(provider) => provider.delete(resource, { id, previousData: record })}
        button={{ color: 'error' }}
      >
        {text('removal')}
      </Action>
    </Box>
  );
}

/** A small table sorted by name, in which an administrator with the right can add, change and delete rows. */
export function CataloguePage({ fields }: { fields: CatalogueField[] }) {
  const resource = useResourceContext() ?? '';
  const { canDo } = useRights();
  const canChange = canDo(resource, 'update') && canDo(resource, 'remove');
  const lines = fields.map(({ name }) => name);
  const numbers = fields.filter(({ isNumber }) => isNumber).map(({ name }) => name);
  return (
    <Listing actions={canDo(resource, 'create') && <Add fields={fields} />} sort={{ field: 'name', order: 'ASC' }}>
      <Table card={[...lines, 'actions']} named={numbers}>
        {fields.map(({ name, isNumber = false, isMoney = false }) => (
          <Column
            key={name}
            source={name}
            align={isNumber ? 'right' : 'left'}
            {...(isMoney && { render: (row: RaRecord) => <PlainMoney amount={Number(row[name])} /> })}
          />
        ))}
        <Column
          source="updated_at"
          render={({ updated_at: at }: RaRecord & { updated_at: string }) => <Time at={at} />}
        />
        {canChange && (
          <Column source="actions" disableSort align="right">
            <Change fields={fields} />
          </Column>
        )}
      </Table>
    </Listing>
  );
}

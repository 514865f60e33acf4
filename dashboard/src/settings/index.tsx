import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { Fragment } from 'react';
import { useCanAccess, useTranslate } from 'ra-core';
import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../shared/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { Action } from '../shared/action.tsx';
import { Field } from '../shared/field.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { useRegion } from '../shared/region.ts';
import { Time } from '../shared/time.tsx';
import { isKnown, isSwitch, LIMITS } from './limits.ts';

interface Row {
  id: number;
  name: string;
  value: number;
  description: string;
  updated_at: string;
}

const SWITCHED = ['off', 'on'] as const;

function Value({ row: { name, value } }: { row: Row }) {
  const t = useText();
  const region = useRegion();
  const word = isSwitch(name) ? SWITCHED[value] : undefined;
  return word ? t(`resources.settings.${word}`) : new Intl.NumberFormat(region).format(value);
}

/** What it does, and between which values; the server's own sentence for a setting that this page does not know. */
function useMeaning() {
  const t = useText();
  const region = useRegion();
  return ({ name, description }: Row) => {
    if (!isKnown(name)) return { meaning: description, limits: '' };
    const [min, max] = LIMITS[name].map((value) => new Intl.NumberFormat(region).format(value));
    const limits = isSwitch(name) ? '' : t('resources.settings.limits', { min: min ?? '', max: max ?? '' });
    return { meaning: t(`resources.settings.meanings.${name}`), limits };
  };
}

function Meaning({ row }: { row: Row }) {
  const { meaning, limits } = useMeaning()(row);
  return (
    <>
      {meaning}
      {limits !== '' && (
        <Typography variant="caption" component="p" color="textSecondary">
          {limits}
        </Typography>
      )}
    </>
  );
}

function Change({ row }: { row: Row }) {
  const t = useText();
  const translate = useTranslate();
  const { meaning, limits } = useMeaning()(row);
  const field = { name: 'value', label: t('resources.settings.fields.value'), defaultValue: row.value };
  return (
    <Action
      label={translate('ra.action.edit')}
      title={row.name}
      done={t('states.saved')}
      run={(provider, { value }) =>
        provider.update('settings', { id: row.id, data: { value }, previousData: { id: row.id } })
      }
    >
      <Typography>{meaning}</Typography>
      {isSwitch(row.name) ? (
        <Field {...field} select>
          {SWITCHED.map((word, value) => (
            <MenuItem key={word} value={value}>
              {t(`resources.settings.${word}`)}
            </MenuItem>
          ))}
        </Field>
      ) : (
        <Field {...field} hint={limits} autoFocus slotProps={{ htmlInput: { inputMode: 'numeric' } }} />
      )}
      <Typography variant="body2" color="textSecondary">
        {t('resources.settings.effect')}
      </Typography>
    </Action>
  );
}

function SettingList() {
  const { canAccess } = useCanAccess({ resource: 'settings', action: 'edit' });
  return (
    <Listing>
      <Table sx={{ '& .column-updated_at, & .column-description': { display: { xs: 'none', md: 'table-cell' } } }}>
        <DataTable.Col disableSort source="name" render={(row: Row) => <Name row={row} />} />
        <DataTable.Col disableSort source="value" align="right" render={(row: Row) => <Value row={row} />} />
        <DataTable.Col disableSort source="description" render={(row: Row) => <Meaning row={row} />} />
        <DataTable.Col disableSort source="updated_at" render={({ updated_at }: Row) => <Time at={updated_at} />} />
        {canAccess && <DataTable.Col disableSort source="actions" render={(row: Row) => <Change row={row} />} />}
      </Table>
    </Listing>
  );
}

/** With its meaning below where there is no room for a column. */
function Name({ row }: { row: Row }) {
  const { meaning } = useMeaning()(row);
  return (
    <>
      <code>
        {row.name.split('_').map((word, index) => (
          <Fragment key={word}>
            {index > 0 && (
              <>
                _<wbr />
              </>
            )}
            {word}
          </Fragment>
        ))}
      </code>
      <Typography variant="caption" component="p" color="textSecondary" sx={{ display: { md: 'none' } }}>
        {meaning}
      </Typography>
    </>
  );
}

export default { list: SettingList } satisfies Pages;

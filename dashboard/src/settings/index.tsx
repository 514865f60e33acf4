import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useListContext, useTranslate } from 'ra-core';
import { Column } from '../shared/lists/column.tsx';
import type { RowOf } from '../data/bindings.ts';
import type { Pages } from '../shared/page/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { Action } from '../shared/forms/action.tsx';
import { Field } from '../shared/forms/field.tsx';
import { NumberField } from '../shared/forms/number-field.tsx';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { useRegion } from '../i18n/region.ts';
import { Time } from '../shared/time/time.tsx';
import { useSettingWords } from './words.ts';
import { GROUPS, isKnown, isSwitch, LIMITS } from './limits.ts';
import { useRow } from '../shared/record/row.ts';

type Row = RowOf<'settings'>;

const SWITCHED = ['off', 'on'] as const;

function Value() {
  const { name, value } = useRow<Row>();
  const t = useText();
  const region = useRegion();
  const word = isSwitch(name) ? SWITCHED[value] : undefined;
  return word ? t(`resources.settings.${word}`) : new Intl.NumberFormat(region).format(value);
}

/** A setting's description and limits. For an unknown setting, the server's description. */
function useMeaning() {
  const t = useText();
  const region = useRegion();
  const wordFor = useSettingWords();
  const { name, description } = useRow<Row>();
  if (!isKnown(name)) return { meaning: description, limits: '' };
  const [min, max] = LIMITS[name].map((value) => new Intl.NumberFormat(region).format(value));
  const limits = isSwitch(name) ? '' : t('resources.settings.limits', { min: min ?? '', max: max ?? '' });
  return { meaning: wordFor('meanings', name) ?? description, limits };
}

/** A setting's label; an unknown setting, from a later server version, has its name. */
function useName() {
  const wordFor = useSettingWords();
  return (name: string) => wordFor('names', name) ?? name;
}

function Meaning() {
  const { meaning, limits } = useMeaning();
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

function Change() {
  const row = useRow<Row>();
  const t = useText();
  const translate = useTranslate();
  const nameOf = useName();
  const { meaning, limits } = useMeaning();
  const field = { name: 'value', label: t('resources.settings.fields.value') };
  return (
    <Action
      label={translate('ra.action.edit')}
      title={nameOf(row.name)}
      done={t('states.saved')}
      run={(provider, { value }) =>
        provider.update('settings', { id: row.id, data: { value }, previousData: { id: row.id } })
      }
    >
      <Typography>{meaning}</Typography>
      {isSwitch(row.name) ? (
        <Field {...field} defaultValue={row.value} select>
          {SWITCHED.map((word, value) => (
            <MenuItem key={word} value={value}>
              {t(`resources.settings.${word}`)}
            </MenuItem>
          ))}
        </Field>
      ) : (
        <NumberField {...field} initial={row.value} hint={limits} autoFocus />
      )}
      <Typography variant="body2" color="textSecondary">
        {t('resources.settings.effect')}
      </Typography>
    </Action>
  );
}

/** The label, with the server's name as tooltip; on narrow screens also the description. */
function Name() {
  const row = useRow<Row>();
  const nameOf = useName();
  const { meaning } = useMeaning();
  return (
    <>
      <span title={row.name}>{nameOf(row.name)}</span>
      <Typography variant="caption" component="p" color="textSecondary" sx={{ display: { md: 'none' } }}>
        {meaning}
      </Typography>
    </>
  );
}

const columns = {
  '& .column-name': { width: { md: '22%' } },
  '& .column-value': { width: { md: 110 } },
  '& .column-updated_at': { width: { md: 190 } },
  '& .column-actions': { width: { md: 100 } },
  '& table': { tableLayout: { md: 'fixed' } },
};

function Group({ title, rows }: { title: string; rows: Row[] }) {
  const { canDo } = useRights();
  return (
    <Box component="section" sx={{ paddingTop: 2 }}>
      <Typography variant="h6" component="h2" sx={{ paddingX: 1.5 }}>
        {title}
      </Typography>
      <Table data={rows} total={rows.length} card={['name value', 'updated_at actions']} sx={columns} label={title}>
        <Column disableSort source="name" children={<Name />} />
        <Column disableSort source="value" align="right" children={<Value />} />
        <Column disableSort source="description" children={<Meaning />} />
        <Column disableSort source="updated_at" render={({ updated_at }: Row) => <Time at={updated_at} />} />
        {canDo('settings', 'update') && <Column disableSort source="actions" children={<Change />} />}
      </Table>
    </Box>
  );
}

function Groups() {
  const t = useText();
  const { data = [] } = useListContext<Row>();
  const others = data.filter(({ name }) => !isKnown(name));
  return (
    <>
      {GROUPS.map(({ name, settings }) => (
        <Group
          key={name}
          title={t(`resources.settings.groups.${name}`)}
          rows={settings.flatMap((setting) => data.filter((row) => row.name === setting))}
        />
      ))}
      {others.length > 0 && <Group title={t('resources.settings.groups.other')} rows={others} />}
    </>
  );
}

/** All settings on one page, in groups. */
const SettingList = () => (
  <Listing search={false} perPage={50}>
    <Groups />
  </Listing>
);

export default { list: SettingList } satisfies Pages;

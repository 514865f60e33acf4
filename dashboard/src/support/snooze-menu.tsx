import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import SnoozeIcon from '@mui/icons-material/SnoozeOutlined';
import { useId, useRef, useState } from 'react';
import { idOf } from '../data/binding.ts';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { Confirmation } from '../shared/forms/action.tsx';
import { Field } from '../shared/forms/field.tsx';
import type { Fields } from '../shared/forms/submission.ts';
import { writtenTime } from '../shared/time/time.tsx';
import { useApplyCase, useChangeCase } from './case-queries.ts';
import type { Case } from './case.ts';
import { useShortcuts } from './keys.tsx';
import { fieldTime, snoozeTimes } from './snooze-times.ts';

interface DateDialogProps {
  of: Case;
  isOpen: boolean;
  close: () => void;
}

/** Asks for a day and a time in the administrator's time zone. */
function DateDialog({ of, isOpen, close }: DateDialogProps) {
  const t = useText();
  const applyCase = useApplyCase();
  const read = (text: string) => {
    const at = new Date(text);
    return Number.isNaN(at.getTime()) ? { error: t('resources.support.snooze.invalid') } : { value: at.toISOString() };
  };
  const run = async (provider: ServerProvider, { snoozed_until: until = '' }: Fields) => {
    const body = { state: 'snoozed', snoozed_until: until } as const;
    applyCase(await provider.request((client) => client.PUT('/api/admin/desk/cases/{id}', { ...idOf(of.id), body })));
  };
  return (
    <Confirmation
      title={t('resources.support.snooze.title')}
      done={t('resources.support.snooze.done')}
      run={run}
      isOpen={isOpen}
      close={close}
    >
      <Field
        name="snoozed_until"
        type="datetime-local"
        label={t('resources.support.snooze.until')}
        defaultValue={fieldTime(snoozeTimes(new Date()).tomorrow)}
        read={read}
        autoFocus
        slotProps={{ inputLabel: { shrink: true, required: false } }}
      />
    </Confirmation>
  );
}

const NAMES = ['hour', 'tomorrow', 'monday'] as const;

/** A button with a menu of times until which the case is put aside. */
export function SnoozeMenu({ of }: { of: Case }) {
  const t = useText();
  const region = useRegion();
  const change = useChangeCase();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const [isAsking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const buttonId = useId();
  const times = snoozeTimes(new Date());
  useShortcuts({ s: () => setAnchor(button.current ?? undefined) });
  const snooze = (until: Date | null) => {
    setAnchor(undefined);
    const body = { state: 'snoozed', snoozed_until: until && until.toISOString() } as const;
    void change(of.id, body, t('resources.support.snooze.done'));
  };
  const ask = () => {
    setAnchor(undefined);
    setAsking(true);
  };
  return (
    <>
      <Button
        ref={button}
        id={buttonId}
        size="small"
        variant="outlined"
        startIcon={<SnoozeIcon />}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t('resources.support.snooze.button')}
      </Button>
      <Menu
        open={anchor !== undefined}
        anchorEl={anchor}
        onClose={() => setAnchor(undefined)}
        slotProps={{
          paper: { role: 'region', 'aria-label': t('resources.support.snooze.button') },
          list: { 'aria-labelledby': buttonId },
        }}
      >
        {NAMES.map((name) => (
          <MenuItem key={name} onClick={() => snooze(times[name])} sx={{ justifyContent: 'space-between', gap: 3 }}>
            {t(`resources.support.snooze.${name}`)}
            <Typography variant="caption" color="textSecondary">
              {writtenTime(times[name].toISOString(), region)}
            </Typography>
          </MenuItem>
        ))}
        <MenuItem onClick={() => snooze(null)}>{t('resources.support.snooze.message')}</MenuItem>
        <MenuItem onClick={ask}>{t('resources.support.snooze.date')}</MenuItem>
      </Menu>
      <DateDialog of={of} isOpen={isAsking} close={() => setAsking(false)} />
    </>
  );
}

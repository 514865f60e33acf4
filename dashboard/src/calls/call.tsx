import Chip, { type ChipProps } from '@mui/material/Chip';
import type { RecordOf, RowOf } from '../data/bindings.ts';
import { useText } from '../i18n/i18n.ts';

export type CallRow = RowOf<'calls'>;
export type Call = RecordOf<'calls'>;
export type CallStateName = CallRow['state'];

export const CALL_STATES = [
  'ringing',
  'active',
  'ended',
  'rejected',
  'missed',
  'canceled',
] as const satisfies CallStateName[];
export const CALL_TYPES = ['video', 'audio'] as const satisfies CallRow['call_type'][];

/** The total refunded, from the ledger. The call's own `refunded` is updated slightly later. */
export const refundedOf = ({ refunds }: Call) => refunds.reduce((sum, { amount }) => sum + amount, 0);

const COLOURS: Partial<Record<CallStateName, ChipProps['color']>> = {
  ringing: 'info',
  active: 'success',
  missed: 'warning',
};

export function CallState({ of }: { of: CallStateName }) {
  const t = useText();
  return (
    <Chip size="small" variant="outlined" color={COLOURS[of] ?? 'default'} label={t(`resources.calls.states.${of}`)} />
  );
}

/** Formats seconds as `1 h 2 min 3 s`, without zero parts. */
export function durationOf(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}\u00a0${unit}`);
  return shown.length === 0 ? '0\u00a0s' : shown.join('\u00a0');
}

import Chip, { type ChipProps } from '@mui/material/Chip';
import { useText } from '../i18n/i18n.ts';

export const CALL_STATES = ['ringing', 'active', 'ended', 'rejected', 'missed', 'canceled'] as const;
export type CallStateName = (typeof CALL_STATES)[number];
export const CALL_TYPES = ['video', 'audio'] as const;

export interface CallRow {
  id: string;
  identifier: string;
  state: CallStateName;
  call_type: (typeof CALL_TYPES)[number];
  student_id: number;
  student_name: string;
  teacher_id: number;
  teacher_name: string;
  steps: number;
  total_cost: number;
  total_duration: number | null;
  refunded: number;
  created_at: string;
  accepted_at: string | null;
  ended_at: string | null;
}

type End = 'student' | 'teacher' | 'money' | 'silence' | 'ban';
type EventName = 'rang' | 'accepted' | 'billed' | 'low_balance' | `ended_by_${End}` | 'settled';

export interface Call extends CallRow {
  timeline: { event: EventName; at: string }[];
  charges: { step: number; amount: number; commission: number; ref: string; created_at: string }[];
  refunds: { amount: number; ref: string; created_at: string }[];
}

/** By the ledger: the row's own figure follows it a moment later. */
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

/** `1 h 2 min 3 s`, with what is not zero. */
export function durationOf(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}\u00a0${unit}`);
  return told.length === 0 ? '0\u00a0s' : told.join('\u00a0');
}

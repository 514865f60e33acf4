import Chip, { type ChipProps } from '@mui/material/Chip';
import { useText } from '../../i18n/i18n.ts';
import type { common } from '../../i18n/texts/common.ts';

export type StatusName = keyof typeof common.en.status;

const COLOURS: Record<StatusName, ChipProps['color']> = {
  initiated: 'info',
  pending: 'warning',
  success: 'success',
  failed: 'error',
  canceled: 'default',
  active: 'success',
  inactive: 'default',
  banned: 'error',
  open: 'warning',
  snoozed: 'info',
  resolved: 'success',
  rejected: 'default',
  due: 'warning',
  inquiry: 'warning',
  needs_response: 'error',
  under_review: 'info',
  won: 'success',
  lost: 'default',
  requested: 'info',
  sent: 'warning',
  draft: 'info',
  approved: 'info',
  exported: 'warning',
  closed: 'success',
  waiting: 'info',
  paid: 'success',
  uncertain: 'warning',
  removed: 'default',
  returned: 'error',
  repeated: 'warning',
};

/** A status as a coloured chip. */
export function Status({ of }: { of: StatusName }) {
  const t = useText();
  return <Chip size="small" variant="outlined" color={COLOURS[of] ?? 'default'} label={t(`status.${of}`)} />;
}

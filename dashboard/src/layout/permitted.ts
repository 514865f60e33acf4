import { useTranslate } from 'ra-core';
import { areas, type Area } from '../areas.tsx';
import { useText } from '../i18n/i18n.ts';
import { useRights } from '../shared/queries/rights.ts';

/** The areas that the administrator may see, in navigation order. */
export function useAreas(): Area[] {
  const { can, canDo } = useRights();
  return areas.filter(({ name, needs }) => (needs === undefined ? canDo(name, 'list') : can(needs)));
}

/** Whether the administrator may see the overview. */
export const useHasOverview = (): boolean => useRights().can('GET /api/admin/stats/daily');

/** The first page that the administrator may see. */
export function useFirstPage(): { to: string; name: string } {
  const t = useText();
  const translate = useTranslate();
  const hasOverview = useHasOverview();
  const [first] = useAreas();
  if (hasOverview || !first) return { to: '/', name: t('overview') };
  return { to: `/${first.name}`, name: translate(`resources.${first.name}.name`, { smart_count: 2 }) };
}

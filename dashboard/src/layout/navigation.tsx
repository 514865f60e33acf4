import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemButton from '@mui/material/ListItemButton';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import OverviewIcon from '@mui/icons-material/SpaceDashboardOutlined';
import { visuallyHidden } from '@mui/utils';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Theme } from '@mui/material/styles';
import type { ComponentType } from 'react';
import { useTranslate } from 'ra-core';
import { useSidebarState } from 'ra-ui-materialui';
import { NavLink, useLocation } from 'react-router-dom';
import type { Area } from '../areas.tsx';
import { useText } from '../i18n/i18n.ts';
import { useWaiting } from '../live/waiting.ts';
import { useRegion } from '../i18n/region.ts';
import { SIDEBAR } from '../theme.ts';
import { useAreas, useHasOverview } from './permitted.ts';

interface EntryProps {
  to: string;
  name: string;
  icon: ComponentType;
  /** How many items need attention. */
  waiting?: number;
}

/** Larger counts are shown as `99+`. */
const MAX_COUNT = 99;

function Entry({ to, name, icon: Icon, waiting = 0 }: EntryProps) {
  const [isOpen, setOpen] = useSidebarState();
  const isPhone = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  const isWide = isOpen || isPhone;
  const { pathname } = useLocation();
  const isHere = to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`);
  return (
    <ListItem disablePadding>
      <ListItemButton
        component={NavLink}
        to={to}
        selected={isHere}
        aria-label={name}
        title={isOpen ? undefined : name}
        onClick={() => isPhone && setOpen(false)}
        sx={{ minHeight: 40, paddingX: 2 }}
      >
        <ListItemIcon sx={{ minWidth: 40, color: 'inherit' }}>
          <Badge variant="dot" color="warning" invisible={isWide || waiting === 0}>
            <Icon />
          </Badge>
        </ListItemIcon>
        {isWide && <ListItemText primary={name} />}
      </ListItemButton>
      {isWide && waiting > 0 && <Waiting count={waiting} />}
    </ListItem>
  );
}

/** Lies over the link without being part of its accessible name, and lets clicks through. */
function Waiting({ count }: { count: number }) {
  const t = useText();
  return (
    <Box sx={{ position: 'absolute', insetInlineEnd: 16, pointerEvents: 'none' }}>
      <Chip size="small" color="warning" label={count > MAX_COUNT ? `${MAX_COUNT}+` : count} />
      <span style={visuallyHidden}> {t('waiting')}</span>
    </Box>
  );
}

function AreaEntry({ name, icon, waiting }: Area & { waiting: number | undefined }) {
  const translate = useTranslate();
  return (
    <Entry
      to={`/${name}`}
      icon={icon}
      waiting={waiting}
      name={translate(`resources.${name}.name`, { smart_count: 2 })}
    />
  );
}

/** The time zone of all times in the dashboard. */
function TimeZone() {
  const t = useText();
  const region = useRegion();
  const parts = new Intl.DateTimeFormat(region, { timeZoneName: 'long' }).formatToParts();
  const zone = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
  return (
    <Typography variant="caption" component="p" color="textSecondary" sx={{ padding: 2, width: SIDEBAR.width }}>
      {t('zone', { zone })}
    </Typography>
  );
}

export function Navigation() {
  const [isOpen] = useSidebarState();
  const t = useText();
  const areas = useAreas();
  const hasOverview = useHasOverview();
  const { initiated = 0, claimed = 0, drafts = 0, uncertain = 0, ...counts } = useWaiting();
  const waiting: Partial<Record<Area['name'], number>> = {
    withdrawals: initiated + claimed,
    payouts: drafts + uncertain,
    disputes: counts.disputes,
    refunds: counts.refunds,
    breaks: counts.breaks,
    support: counts.rooms,
    reports: counts.reports,
  };
  return (
    <nav aria-label={t('navigation')}>
      <List dense sx={{ width: isOpen ? SIDEBAR.width : SIDEBAR.closedWidth }}>
        {hasOverview && <Entry to="/" icon={OverviewIcon} name={t('overview')} />}
        {areas.map((area) => (
          <AreaEntry key={area.name} {...area} waiting={waiting[area.name]} />
        ))}
      </List>
      {isOpen && <TimeZone />}
    </nav>
  );
}

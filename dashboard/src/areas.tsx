import AdministratorsIcon from '@mui/icons-material/AdminPanelSettingsOutlined';
import DepositsIcon from '@mui/icons-material/SouthWestOutlined';
import WithdrawalsIcon from '@mui/icons-material/NorthEastOutlined';
import PayoutsIcon from '@mui/icons-material/AccountBalanceOutlined';
import PaymentsIcon from '@mui/icons-material/ReceiptLongOutlined';
import BreaksIcon from '@mui/icons-material/RuleOutlined';
import DisputesIcon from '@mui/icons-material/GavelOutlined';
import RefundsIcon from '@mui/icons-material/CurrencyExchangeOutlined';
import BookingsIcon from '@mui/icons-material/CalendarMonthOutlined';
import CallsIcon from '@mui/icons-material/PhoneOutlined';
import PeopleIcon from '@mui/icons-material/PeopleOutlined';
import PlansIcon from '@mui/icons-material/SellOutlined';
import ReportsIcon from '@mui/icons-material/FlagOutlined';
import ReviewsIcon from '@mui/icons-material/StarBorderOutlined';
import ServicesIcon from '@mui/icons-material/VideocamOutlined';
import SettingsIcon from '@mui/icons-material/TuneOutlined';
import SkillsIcon from '@mui/icons-material/SchoolOutlined';
import SupportIcon from '@mui/icons-material/ForumOutlined';
import AuditIcon from '@mui/icons-material/HistoryOutlined';
import type { ComponentType } from 'react';
import type { ResourceName } from './data/bindings.ts';
import type { Operation } from './data/rights.ts';
import type { Pages } from './shared/page/pages.ts';

export interface Area {
  name: ResourceName | 'support';
  icon: ComponentType;
  /** What its pages need, unless it is a resource: those need its list. */
  needs?: Operation;
  /** Loads the area's code. Called on the first visit. */
  load: () => Promise<{ default: Pages }>;
}

/** All areas, in navigation order. */
export const areas: Area[] = [
  { name: 'people', icon: PeopleIcon, load: () => import('./people/index.tsx') },
  { name: 'deposits', icon: DepositsIcon, load: () => import('./deposits/index.tsx') },
  { name: 'withdrawals', icon: WithdrawalsIcon, load: () => import('./withdrawals/index.tsx') },
  { name: 'payouts', icon: PayoutsIcon, load: () => import('./payouts/index.tsx') },
  { name: 'payments', icon: PaymentsIcon, load: () => import('./payments/index.tsx') },
  { name: 'disputes', icon: DisputesIcon, load: () => import('./disputes/index.tsx') },
  { name: 'refunds', icon: RefundsIcon, load: () => import('./refunds/index.tsx') },
  { name: 'breaks', icon: BreaksIcon, load: () => import('./breaks/index.tsx') },
  { name: 'calls', icon: CallsIcon, load: () => import('./calls/index.tsx') },
  { name: 'bookings', icon: BookingsIcon, load: () => import('./bookings/index.tsx') },
  { name: 'reviews', icon: ReviewsIcon, load: () => import('./reviews/index.tsx') },
  {
    name: 'support',
    icon: SupportIcon,
    needs: 'POST /api/admin/desk/casesall',
    load: () => import('./support/index.tsx'),
  },
  { name: 'reports', icon: ReportsIcon, load: () => import('./reports/index.tsx') },
  { name: 'skills', icon: SkillsIcon, load: () => import('./skills/index.tsx') },
  { name: 'plans', icon: PlansIcon, load: () => import('./plans/index.tsx') },
  { name: 'services', icon: ServicesIcon, load: () => import('./services/index.tsx') },
  { name: 'settings', icon: SettingsIcon, load: () => import('./settings/index.tsx') },
  { name: 'administrators', icon: AdministratorsIcon, load: () => import('./administrators/index.tsx') },
  { name: 'audit', icon: AuditIcon, load: () => import('./audit/index.tsx') },
];

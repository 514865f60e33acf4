import AccountIcon from '@mui/icons-material/ManageAccountsOutlined';
import LanguageIcon from '@mui/icons-material/TranslateOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import ListItemIcon from '@mui/material/ListItemIcon';
import MenuItem from '@mui/material/MenuItem';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Theme } from '@mui/material/styles';
import { useState, type ReactNode } from 'react';
import { useGetIdentity, useLocaleState, usePermissions } from 'ra-core';
import {
  AppBar,
  Layout as RaLayout,
  Logout,
  Sidebar,
  TitlePortal,
  ToggleThemeButton,
  UserMenu,
  useUserMenu,
  RefreshIconButton,
  type SidebarProps,
} from 'ra-ui-materialui';
import { Link } from 'react-router-dom';
import type { Rights } from '../data/rights.ts';
import { LiveEvents, useInterrupted } from '../live/live-events.tsx';
import { RefetchRights } from '../live/refetch-rights.tsx';
import { RefetchWaiting } from '../live/refetch-waiting.tsx';
import { useDesktopNotifications } from '../live/desktop-notifications.ts';
import { LANGUAGES, useText } from '../i18n/i18n.ts';
import { lazyComponent } from '../shared/page/lazy-component.tsx';
import { Failure, Loading } from '../shared/page/states.tsx';
import { useRightsChange } from '../shared/queries/rights.ts';
import { useNeedsSecondFactor } from '../shared/queries/staff.ts';
import { useFocusRestoration } from './focus-restoration.ts';
import { Navigation } from './navigation.tsx';
import { NewVersion } from './new-version.tsx';
import { Search } from './search.tsx';

const Toolbar = () => (
  <>
    <Search />
    <ToggleThemeButton />
    <RefreshIconButton />
  </>
);

function AccountEntry() {
  const t = useText();
  const { onClose } = useUserMenu() ?? {};
  return (
    <MenuItem component={Link} to="/account" onClick={onClose}>
      <ListItemIcon>
        <AccountIcon fontSize="small" />
      </ListItemIcon>
      {t('account')}
    </MenuItem>
  );
}

/** Each language is written in itself, for readers who do not understand the current one. */
function LanguageEntries() {
  const [present, choose] = useLocaleState();
  const { onClose } = useUserMenu() ?? {};
  return LANGUAGES.filter(({ locale }) => locale !== present).map(({ locale, name }) => (
    <MenuItem
      key={locale}
      lang={locale}
      onClick={() => {
        choose(locale);
        onClose?.();
      }}
    >
      <ListItemIcon>
        <LanguageIcon fontSize="small" />
      </ListItemIcon>
      {name}
    </MenuItem>
  ));
}

/** The user menu. Its accessible name is the visible one: the administrator's name. */
function Menu() {
  const { identity } = useGetIdentity();
  return (
    <UserMenu label={identity?.fullName}>
      <AccountEntry />
      <LanguageEntries />
      <Logout />
    </UserMenu>
  );
}

/** On a phone a long title may wrap. */
const WRAPPED = {
  whiteSpace: { xs: 'normal', md: 'nowrap' },
  fontSize: { xs: '0.9rem', md: '1.25rem' },
  lineHeight: 1.2,
};

const Bar = () => (
  <AppBar toolbar={<Toolbar />} userMenu={<Menu />} color="primary" alwaysOn>
    <TitlePortal component="h1" sx={WRAPPED} />
  </AppBar>
);

/** No page is wider than the window; wide content scrolls by itself. */
const NARROW = { minWidth: 0, '& .RaLayout-content, & .RaLayout-appFrame': { minWidth: 0 } };

/** Shown above the page rather than over it. */
function Interrupted() {
  const t = useText();
  const isInterrupted = useInterrupted();
  return (
    <Box role="status">
      {isInterrupted && (
        <Alert severity="warning" role="none" sx={{ marginTop: 1 }}>
          {t('states.interrupted')}
        </Alert>
      )}
      <NewVersion />
    </Box>
  );
}

/** On a phone the sidebar is a dialog, which needs an accessible name. */
function NamedSidebar(props: SidebarProps) {
  const t = useText();
  const isDialog = useMediaQuery<Theme>((theme) => theme.breakpoints.down('sm'));
  return <Sidebar {...props} slotProps={isDialog ? { paper: { 'aria-label': t('navigation') } } : {}} />;
}

function DesktopNotifications() {
  useDesktopNotifications();
  return null;
}

const RequiredSecondFactor = lazyComponent('required-second-factor', async () => ({
  default: (await import('../account/required-second-factor.tsx')).RequiredSecondFactor,
}));

/** The page within the navigation, once it is known what the administrator may do. */
export function Layout({ children }: { children: ReactNode }) {
  useFocusRestoration();
  const { permissions, error, refetch } = usePermissions<Rights | null>();
  useRightsChange(permissions);
  const isNeeded = useNeedsSecondFactor();
  // It stays until the recovery codes have been read, although the server refuses nothing any more.
  const [isSettingUp, setSettingUp] = useState(false);
  if (isNeeded === true && !isSettingUp) setSettingUp(true);
  if (isSettingUp) return <RequiredSecondFactor />;
  if (!permissions && error !== null) return <Failure error={error} retry={refetch} />;
  if (!permissions || isNeeded === undefined) return <Loading />;
  return (
    <LiveEvents>
      <RefetchRights />
      <RefetchWaiting />
      <DesktopNotifications />
      <RaLayout appBar={Bar} menu={Navigation} sidebar={NamedSidebar} sx={NARROW}>
        <Interrupted />
        {children}
      </RaLayout>
    </LiveEvents>
  );
}

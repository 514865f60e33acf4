import type { ReactNode } from 'react';
import { useGetIdentity } from 'ra-core';
import {
  AppBar,
  Layout as RaLayout,
  Logout,
  TitlePortal,
  ToggleThemeButton,
  UserMenu,
  LocalesMenuButton,
  LoadingIndicator,
} from 'ra-ui-materialui';
import { Navigation } from './navigation.tsx';

const Toolbar = () => (
  <>
    <LocalesMenuButton />
    <ToggleThemeButton />
    <LoadingIndicator />
  </>
);

/** Named as it is written on it: after who is signed in. */
function Menu() {
  const { identity } = useGetIdentity();
  return (
    <UserMenu label={identity?.fullName}>
      <Logout />
    </UserMenu>
  );
}

const Bar = () => (
  <AppBar toolbar={<Toolbar />} userMenu={<Menu />} color="primary">
    <TitlePortal component="h1" />
  </AppBar>
);

export function Layout({ children }: { children: ReactNode }) {
  return (
    <RaLayout appBar={Bar} menu={Navigation}>
      {children}
    </RaLayout>
  );
}

import { lazy, Suspense } from 'react';
import { QueryClient } from '@tanstack/react-query';
import { localStorageStore } from 'ra-core';
import { AdminContext, AdminUI } from 'ra-ui-materialui';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { areas } from './areas.tsx';
import { createAuthProvider } from './auth-provider.ts';
import { createDataProvider } from './data-provider.ts';
import { createI18nProvider, useText } from './i18n/i18n.ts';
import { AreaResource } from './layout/area-resource.tsx';
import { Layout } from './layout/layout.tsx';
import { createClient } from './server/server.ts';
import { session } from './server/session.ts';
import { Loading } from './shared/states.tsx';
import { darkTheme, lightTheme } from './theme.ts';

const Overview = lazy(() => import('./overview/index.tsx'));
const SignIn = lazy(() => import('./sign-in/index.tsx'));

const i18nProvider = createI18nProvider();
const client = createClient({
  baseUrl: window.location.origin,
  token: session.token,
  language: () => i18nProvider.getLocale(),
});
const authProvider = createAuthProvider(client, session);
const dataProvider = createDataProvider(client);
const store = localStorageStore('1', 'tutoring');
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });

const OverviewPage = () => (
  <Suspense fallback={<Loading />}>
    <Overview />
  </Suspense>
);
const SignInPage = () => (
  <Suspense fallback={<Loading />}>
    <SignIn />
  </Suspense>
);

function Pages() {
  const t = useText();
  return (
    <AdminUI
      dashboard={OverviewPage}
      layout={Layout}
      loginPage={SignInPage}
      title={t('title')}
      requireAuth
      disableTelemetry
    >
      {areas.map(({ name }) => (
        <AreaResource key={name} name={name} />
      ))}
    </AdminUI>
  );
}

const Admin = () => (
  <AdminContext
    authProvider={authProvider}
    dataProvider={dataProvider}
    i18nProvider={i18nProvider}
    queryClient={queryClient}
    store={store}
    theme={lightTheme}
    darkTheme={darkTheme}
  >
    <Pages />
  </AdminContext>
);

const router = createBrowserRouter([{ path: '*', element: <Admin /> }], { basename: '/admin' });

export const App = () => <RouterProvider router={router} />;

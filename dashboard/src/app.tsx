import { QueryClient } from '@tanstack/react-query';
import { CustomRoutes } from 'ra-core';
import { AdminContext, AdminUI } from 'ra-ui-materialui';
import { createBrowserRouter, Route, RouterProvider } from 'react-router-dom';
import { areas } from './areas.tsx';
import { createAuthProvider } from './auth-provider.ts';
import { createDataProvider } from './data-provider.ts';
import { createI18nProvider, useText } from './i18n/i18n.ts';
import { AreaResource } from './layout/area-resource.tsx';
import { Layout } from './layout/layout.tsx';
import { Home } from './layout/home.tsx';
import { AccessDenied, NoPage } from './layout/no-page.tsx';
import { PageStyles } from './layout/page-styles.tsx';
import { createClient } from './server/server.ts';
import { session, watchSession } from './server/current-session.ts';
import { lazyComponent } from './shared/page/lazy-component.tsx';
import { reload } from './shared/page/reload.ts';
import { RIGHTS } from './shared/queries/rights.ts';
import { createStore } from './shared/lists/store.ts';
import { SignIn } from './sign-in/sign-in.tsx';
import { darkTheme, lightTheme } from './theme.ts';

const Account = lazyComponent('account', () => import('./account/index.tsx'), 'account');
const Invitation = lazyComponent('invitation', () => import('./invitation/index.tsx'));

const i18nProvider = createI18nProvider();
const client = createClient({
  baseUrl: window.location.origin,
  token: session.token,
  language: () => i18nProvider.getLocale(),
});
watchSession(reload);
const authProvider = createAuthProvider(client, session);
const dataProvider = createDataProvider(client);
const store = createStore();
// Requests are sent even when the browser is offline: the failure is shown with a button to try again.
const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
});

// A refusal may mean that the rights have changed. The rights themselves are refused to nobody.
client.use({
  onResponse({ response, schemaPath }) {
    if (response.status !== 403 || schemaPath === '/api/admin/auth/rights') return;
    void queryClient.invalidateQueries({ queryKey: RIGHTS });
  },
});

/** Replaces react-admin's own page. */
const NotFound = () => <NoPage title="ra.page.not_found" message="ra.message.not_found" />;

function Pages() {
  const t = useText();
  return (
    <>
      <PageStyles />
      <AdminUI
        layout={Layout}
        loginPage={SignIn}
        accessDenied={AccessDenied}
        catchAll={NotFound}
        title={t('title')}
        requireAuth
        disableTelemetry
      >
        {areas.map(({ name }) => (
          <AreaResource key={name} name={name} />
        ))}
        <CustomRoutes>
          <Route path="/" element={<Home />} />
          <Route path="/account" element={<Account />} />
        </CustomRoutes>
        <CustomRoutes noLayout>
          <Route path="/invitation" element={<Invitation />} />
        </CustomRoutes>
      </AdminUI>
    </>
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

/**
 * Transitions are off: react-admin clears its caches right after redirecting to the sign-in page. During a transition
 * the old page would still be mounted without a session, and redirect to the sign-in page in a loop.
 */
export const App = () => <RouterProvider router={router} useTransitions={false} />;

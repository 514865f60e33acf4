import { Navigate } from 'react-router-dom';
import { lazyComponent } from '../shared/page/lazy-component.tsx';
import { AccessDenied } from './no-page.tsx';
import { useFirstPage, useHasOverview } from './permitted.ts';

const Overview = lazyComponent('overview', () => import('../overview/index.tsx'), 'overview');

/** The overview. Without the right to see it, the first page that the administrator may see. */
export function Home() {
  const { to } = useFirstPage();
  const hasOverview = useHasOverview();
  if (hasOverview) return <Overview />;
  return to === '/' ? <AccessDenied /> : <Navigate to={to} replace />;
}

import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { useInterrupted } from '../live/live-events.tsx';
import { RELEASE } from '../server/release.ts';
import { hasUnsaved } from '../shared/forms/unsaved.ts';

const LOADED = 'tutoring.release';

/** Loads a release by itself only once: while gateways are replaced, an older one may answer again. */
function loadOnce(release: string): void {
  if (hasUnsaved() || sessionStorage.getItem(LOADED) === release) return;
  sessionStorage.setItem(LOADED, release);
  window.location.reload();
}

/** Says that there is another version, and loads it on the next occasion on which nothing is half written. */
export function NewVersion() {
  const t = useText();
  const queries = useQueryClient();
  const isInterrupted = useInterrupted();
  const { pathname } = useLocation();
  const { data: release = null } = useQuery({ ...RELEASE, enabled: false });
  // A gateway that is replaced breaks the stream of events; it is asked when everything is back.
  useEffect(() => (isInterrupted ? () => void queries.prefetchQuery(RELEASE) : undefined), [isInterrupted, queries]);
  useEffect(() => {
    if (release !== null) loadOnce(release);
  }, [release, pathname]);
  if (release === null) return null;
  const load = (
    <Button color="inherit" size="small" onClick={() => window.location.reload()}>
      {t('release.load')}
    </Button>
  );
  return (
    <Alert severity="info" role="none" action={load} sx={{ marginTop: 1 }}>
      {t('release.there')}
    </Alert>
  );
}

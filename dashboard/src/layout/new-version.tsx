import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { useInterrupted } from '../live/live-events.tsx';
import { RELEASE } from '../server/release.ts';
import { hasUnsaved } from '../shared/forms/unsaved.ts';
import { reload } from '../shared/page/reload.ts';

const LOADED = 'tutoring.release';

/** Reloads at most once per release: during a rolling update an older gateway may answer again. */
function loadOnce(release: string): void {
  if (hasUnsaved() || sessionStorage.getItem(LOADED) === release) return;
  sessionStorage.setItem(LOADED, release);
  reload();
}

/** Announces a new version, and reloads at the next page change when nothing is unsaved. */
export function NewVersion() {
  const t = useText();
  const queries = useQueryClient();
  const isInterrupted = useInterrupted();
  const { pathname } = useLocation();
  const { data: release = null } = useQuery({ ...RELEASE, enabled: false });
  // Replacing a gateway breaks the event stream, so this checks for a new version when the stream is back.
  useEffect(() => (isInterrupted ? () => void queries.prefetchQuery(RELEASE) : undefined), [isInterrupted, queries]);
  useEffect(() => {
    if (release !== null) loadOnce(release);
  }, [release, pathname]);
  if (release === null) return null;
  const load = (
    <Button color="inherit" size="small" onClick={reload}>
      {t('release.load')}
    </Button>
  );
  return (
    <Alert severity="info" role="none" action={load} sx={{ marginTop: 1 }}>
      {t('release.there')}
    </Alert>
  );
}

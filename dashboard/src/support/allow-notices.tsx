import Button from '@mui/material/Button';
import { useState } from 'react';
import { useText } from '../i18n/i18n.ts';
import { canNotify } from '../live/notices.ts';

/** Asks the browser to allow notices of new messages, as long as nobody has decided about it. */
export function AllowNotices() {
  const t = useText();
  const [permission, setPermission] = useState(canNotify ? Notification.permission : 'denied');
  if (permission !== 'default') return null;
  return (
    <Button size="small" onClick={() => void Notification.requestPermission().then(setPermission)}>
      {t('resources.support.allowNotices')}
    </Button>
  );
}

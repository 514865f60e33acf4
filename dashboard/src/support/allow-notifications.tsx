import Button from '@mui/material/Button';
import { useState } from 'react';
import { useText } from '../i18n/i18n.ts';
import { canNotify } from '../live/desktop-notifications.ts';

/** A button that asks for permission to show notifications, until the user has granted or denied it. */
export function AllowNotifications() {
  const t = useText();
  const [permission, setPermission] = useState(canNotify ? Notification.permission : 'denied');
  if (permission !== 'default') return null;
  return (
    <Button size="small" onClick={() => void Notification.requestPermission().then(setPermission)}>
      {t('resources.support.allowNotices')}
    </Button>
  );
}

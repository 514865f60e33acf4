import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { useStaff } from '../shared/queries/staff.ts';
import { shortened } from '../shared/text/shortened.ts';
import { useLiveEvents, type EventOf } from './live-events.tsx';

/** Not every browser supports notifications. */
export const canNotify = 'Notification' in window;

const MAX_LENGTH = 140;
const EVENTS = ['support.message'] as const;

/** Undefined if the browser throws: phones do not allow notifications created by a page. */
function showNotification(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}

/** Shows a desktop notification for a person's support message while this window is not focused, if allowed. */
export function useDesktopNotifications(): void {
  const t = useText();
  const navigate = useNavigate();
  const staff = useStaff();
  const onEvent = useCallback(
    ({ data }: EventOf<'support.message'>) => {
      if (!canNotify || Notification.permission !== 'granted' || document.hasFocus() || staff.has(data.sender_id))
        return;
      // The tag limits it to one notification per conversation, across tabs and messages.
      const options = { body: shortened(data.message, MAX_LENGTH), tag: data.room_uuid };
      const notification = showNotification(t('resources.support.notice'), options);
      if (!notification) return;
      notification.onclick = () => {
        window.focus();
        void navigate(`/support/${data.room_uuid}`);
        notification.close();
      };
    },
    [t, navigate, staff],
  );
  useLiveEvents(EVENTS, onEvent);
}

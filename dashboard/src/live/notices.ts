import { useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { useStaff } from '../shared/queries/staff.ts';
import { shortened } from '../shared/text/shortened.ts';
import { useLiveEvents, type EventOf } from './live-events.tsx';

/** Not every browser has them. */
export const canNotify = 'Notification' in window;

const LENGTH = 140;
const EVENTS = ['support.message'] as const;

/** A phone's browser has them, and refuses a page's. */
function raise(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}

/** Notifies on the desktop of a person's message to the support, where it is allowed, while another window is looked at. */
export function useNotices(): void {
  const t = useText();
  const navigate = useNavigate();
  const staff = useStaff();
  const onEvent = useCallback(
    ({ data }: EventOf<'support.message'>) => {
      if (!canNotify || Notification.permission !== 'granted' || document.hasFocus() || staff.has(data.sender_id))
        return;
      // One for a conversation, however many tabs are open and messages come.
      const options = { body: shortened(data.message, LENGTH), tag: data.room_uuid };
      const notice = raise(t('resources.support.notice'), options);
      if (!notice) return;
      notice.onclick = () => {
        window.focus();
        void navigate(`/support/${data.room_uuid}`);
        notice.close();
      };
    },
    [t, navigate, staff],
  );
  useLiveEvents(EVENTS, onEvent);
}

import { createSession } from './session.ts';

/** The session of this tab. */
export const session = createSession(localStorage);

/** Calls `onOther` when this tab shows an administrator who is no longer the one who is signed in in this browser. */
export function watchSession(onOther: () => void): void {
  const look = () => {
    if (session.follow() === 'other') onOther();
  };
  window.addEventListener('storage', look);
  // A tab that was frozen, or comes back from the history, is told of nothing.
  window.addEventListener('pageshow', look);
  document.addEventListener('visibilitychange', look);
}

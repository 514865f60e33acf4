import { createSession } from './session.ts';

/** The session of this tab. */
export const session = createSession(localStorage);

/** Calls `onOther` when the browser is signed in as another administrator than this tab, or signed out. */
export function watchSession(onOther: () => void): void {
  const check = () => {
    if (session.follow() === 'other') onOther();
  };
  window.addEventListener('storage', check);
  // A frozen tab, or one restored from the history, has missed `storage` events.
  window.addEventListener('pageshow', check);
  document.addEventListener('visibilitychange', check);
}

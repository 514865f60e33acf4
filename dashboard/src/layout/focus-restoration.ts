import { useEffect } from 'react';

/** The id of the element in which react-admin renders pages. */
const PAGE = 'main-content';
const REACHABLE = ['a[href]', 'button:enabled', 'input:enabled', 'textarea:enabled', '[tabindex="0"]']
  .map((selector) => `${selector}:not([tabindex="-1"])`)
  .join();

/** An element and its ancestors below the page, innermost first. */
function pathOf(element: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = element; at !== null && at.id !== PAGE; at = at.parentElement) path.push(at);
  return path;
}

/** Focuses the nearest focusable element that is still there, or else the page. */
function focusNear(path: Element[], page: HTMLElement): void {
  const near = path.find((element) => element.isConnected && element.querySelector(REACHABLE) !== null);
  const next = near?.querySelector<HTMLElement>(REACHABLE);
  if (next) return next.focus();
  page.tabIndex = -1;
  page.style.outline = 'none';
  page.focus();
}

/** When the focused element is removed (a decision's button, for example), moves the focus to an element near it. */
export function useFocusRestoration(): void {
  useEffect(() => {
    let path: Element[] = [];
    const remember = ({ target }: FocusEvent) => {
      const isOnPage = target instanceof Element && target.closest(`#${PAGE}`) !== null;
      if (isOnPage) path = pathOf(target);
    };
    const watch = new MutationObserver(() => {
      const page = document.getElementById(PAGE);
      const isLost = document.activeElement === document.body && path[0]?.isConnected === false;
      if (!isLost || !page) return;
      focusNear(path, page);
      path = [];
    });
    document.addEventListener('focusin', remember);
    watch.observe(document.body, { subtree: true, childList: true });
    return () => {
      document.removeEventListener('focusin', remember);
      watch.disconnect();
    };
  }, []);
}

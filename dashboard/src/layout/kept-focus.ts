import { useEffect } from 'react';

/** Where react-admin puts the pages. */
const PAGE = 'main-content';
const REACHABLE = ['a[href]', 'button:enabled', 'input:enabled', 'textarea:enabled', '[tabindex="0"]']
  .map((selector) => `${selector}:not([tabindex="-1"])`)
  .join();

/** An element and what it is in, from within, up to the page. */
function pathOf(element: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = element; at !== null && at.id !== PAGE; at = at.parentElement) path.push(at);
  return path;
}

/** Gives the focus to what is nearest to where it was; the page itself when nothing is left there. */
function focusNear(path: Element[], page: HTMLElement): void {
  const near = path.find((element) => element.isConnected && element.querySelector(REACHABLE) !== null);
  const next = near?.querySelector<HTMLElement>(REACHABLE);
  if (next) return next.focus();
  page.tabIndex = -1;
  page.style.outline = 'none';
  page.focus();
}

/** What had the focus on the page and is gone, as a decision's button is, leaves it to its neighbour, not to nothing. */
export function useKeptFocus(): void {
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

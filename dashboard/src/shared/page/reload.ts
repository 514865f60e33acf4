let reloadedAt = -Infinity;

/** Reloads the page. Ignores a second call within a second: two reloads at once may crash the page in Chromium. */
export function reload(): void {
  if (performance.now() - reloadedAt < 1000) return;
  reloadedAt = performance.now();
  window.location.reload();
}

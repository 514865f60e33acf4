import { useListContext, useResourceContext } from 'ra-core';
import { useNews } from './news.ts';

/** Fetches a work list again when someone else has changed it, and after an interruption of live events. */
export function Followed() {
  const resource = useResourceContext();
  const { refetch } = useListContext();
  useNews(resource, refetch);
  return null;
}

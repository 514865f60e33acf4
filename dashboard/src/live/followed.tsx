import { useListContext, useResourceContext } from 'ra-core';
import { useNews } from './news.ts';

/** A list of work is fetched again when others have changed what waits, and after a time without live events. */
export function Followed() {
  const resource = useResourceContext();
  const { refetch } = useListContext();
  useNews(resource, refetch);
  return null;
}

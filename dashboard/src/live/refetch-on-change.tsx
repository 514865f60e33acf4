import { useListContext, useResourceContext } from 'ra-core';
import { useWaitingChanges } from './waiting-changes.ts';

/** Fetches a work list again when someone else has changed it, and after an interruption of live events. */
export function RefetchOnChange() {
  const resource = useResourceContext();
  const { refetch } = useListContext();
  useWaitingChanges(resource, refetch);
  return null;
}

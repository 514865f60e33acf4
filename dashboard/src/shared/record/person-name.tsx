import { useGetOne } from 'ra-core';
import { useRights } from '../queries/rights.ts';
import { RecordLink } from './record-link.tsx';

/** The name of a person by id; `#12` until it is loaded, for a deleted person and without the right. */
export function usePersonName(id: number): string {
  const enabled = useRights().canDo('people', 'get');
  const { data } = useGetOne<{ id: number; name: string }>('people', { id }, { retry: false, enabled });
  return data?.name ?? `#${id}`;
}

/** A link to a person by id, which shows the name once it is loaded. */
export function PersonName({ id }: { id: number }) {
  const name = usePersonName(id);
  return (
    <RecordLink resource="people" id={id}>
      {name}
    </RecordLink>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { usePermissions, useResourceContext } from 'ra-core';
import { useEffect, useRef } from 'react';
import {
  allows,
  allowsAction,
  masks,
  operationOfResource,
  type Operation,
  type ResourceAction,
  type Right,
  type Rights,
} from '../../data/rights.ts';

/** The query of the own rights, which react-admin calls permissions. */
export const RIGHTS = ['auth', 'getPermissions'];

/** Before the rights are known, nothing is allowed. */
const NONE: Rights = { level: '', roles: [], rights: [] };

/** What the signed-in administrator may do, as the server last said. */
export function useRights() {
  const { permissions } = usePermissions<Rights | null>();
  const rights = permissions ?? NONE;
  const isSuper = rights.level === 'su';
  return {
    isSuper,
    has: (right: Right) => isSuper || rights.rights.includes(right),
    can: (operation: Operation) => allows(rights, operation),
    canDo: (resource: string, action: ResourceAction) => allowsAction(rights, resource, action),
    /** Whether the field of an answer is masked. */
    isMasked: (operation: Operation, field: string) => masks(rights, operation, field),
  };
}

/** Whether a column of the current list is masked. */
export function useMaskedColumn(field: string | undefined): boolean {
  const { isMasked } = useRights();
  const operation = operationOfResource(useResourceContext() ?? '', 'list');
  return operation !== undefined && field !== undefined && isMasked(operation, `data.${field}`);
}

/** When the rights have changed, forgets what was fetched with the old ones and fetches the page again. */
export function useRightsChange(rights: Rights | null | undefined): void {
  const queries = useQueryClient();
  const known = useRef<string>(undefined);
  useEffect(() => {
    if (!rights) return;
    const now = JSON.stringify(rights);
    const isChanged = known.current !== undefined && known.current !== now;
    known.current = now;
    if (!isChanged) return;
    const isFetched = ({ queryKey: [kind] }: { queryKey: readonly unknown[] }) => kind !== 'auth' && kind !== 'code';
    queries.removeQueries({ type: 'inactive', predicate: isFetched });
    void queries.invalidateQueries({ predicate: isFetched });
  }, [rights, queries]);
}

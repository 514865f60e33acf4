import MuiLink from '@mui/material/Link';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useRights } from '../queries/rights.ts';

export interface RecordLinkProps {
  resource: string;
  id: number | string;
  children: ReactNode;
}

/**
 * A link to a record's page, or its text alone without the right. Inside a clickable row, a click on the link does not
 * also trigger the row.
 */
export function RecordLink({ resource, id, children }: RecordLinkProps) {
  const { canDo } = useRights();
  if (!canDo(resource, 'get')) return <bdi>{children}</bdi>;
  return (
    <MuiLink dir="auto" component={Link} to={pathOf(resource, id)} onClick={(event) => event.stopPropagation()}>
      {children}
    </MuiLink>
  );
}

/** The address of a record's page. */
export const pathOf = (resource: string, id: number | string) => `/${resource}/${encodeURIComponent(id)}/show`;

/** The address of a list with a filter. */
export const listOf = (resource: string, filter: Record<string, unknown>) =>
  `/${resource}?filter=${encodeURIComponent(JSON.stringify(filter))}`;

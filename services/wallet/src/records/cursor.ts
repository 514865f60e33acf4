import { id } from '@tutoring/shared/http/declare/fields';
import { listLimit } from '@tutoring/shared/http/declare/page';
import { EXPORT_PAGE } from '@tutoring/shared/internal/export-page';

/** `before` and `limit` of the lists for users: newest first, below an id. */
export const cursorFields = {
  before: id().optional().meta({ example: 1043 }),
  limit: listLimit(100, 50),
};

export const cursor = (query: { before?: number | undefined; limit: number }) => ({
  before: query.before ?? Number.MAX_SAFE_INTEGER,
  limit: query.limit,
});

/** The page of an export that follows the id `after`. */
export const exportCursor = ({ after }: { after?: number | undefined }) =>
  cursor({ before: after, limit: EXPORT_PAGE });

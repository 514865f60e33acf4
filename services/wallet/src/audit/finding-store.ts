import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { Finding, Subjects } from './audit.ts';

/** Subjects with findings that one step checks again; those that were checked longest ago come first. */
const CHECKED_AGAIN = 10;

export async function openSubjects(reader: Reader): Promise<Subjects> {
  const found = await rows<{ kind: keyof Subjects; key: string }>(
    reader,
    `select kind, key from audit_finding where kind <> 'head' group by kind, key order by min(checked_at) limit $1`,
    [CHECKED_AGAIN],
  );
  const subjects: Subjects = {};
  for (const { kind, key } of found) (subjects[kind] ??= new Set()).add(key);
  return subjects;
}

/** What a check of these subjects has found takes the place of what was known of them; returns what is new. */
export async function saveFindings(
  tx: Tx,
  kind: keyof Subjects,
  keys: Iterable<string>,
  findings: (Finding & { key: string })[],
): Promise<Finding[]> {
  const column = (name: keyof Finding | 'key') => findings.map((finding) => finding[name]);
  const known =
    findings.length === 0
      ? []
      : await rows<Finding & { is_new: boolean }>(
          tx,
          `insert into audit_finding as f (kind, key, "check", subject, expected, found)
           select $1, t.* from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as t
           on conflict (kind, key, "check", subject) do update
             set expected = excluded.expected, found = excluded.found, checked_at = excluded.checked_at
           returning new."check", new.subject, new.expected, new.found, old.kind is null as is_new`,
          [kind, column('key'), column('check'), column('subject'), column('expected'), column('found')],
        );
  await rows(tx, 'delete from audit_finding where kind = $1 and key = any($2::text[]) and checked_at < now()', [
    kind,
    [...keys],
  ]);
  return known.filter((finding) => finding.is_new).map(({ is_new: _, ...finding }) => finding);
}

export const countFindings = async (reader: Reader): Promise<number> =>
  (await row<{ count: number }>(reader, 'select count(*) as count from audit_finding'))!.count;

import { requiredRow, rows, type Reader } from '@tutoring/shared/kit/database/sql';
import type { DeskStats, StatsPeriod } from './desk-stats.ts';

const within = (column: string) => `${column} >= $1::date and ${column} < $2::date + 1`;
const percentile = (share: number, of: string) => `round(percentile_cont(${share}) within group (order by ${of}))::int`;
const spread = (of: string) => `json_build_object('median', ${percentile(0.5, of)}, 'p90', ${percentile(0.9, of)})`;
const scoreOf = (column: string) => `coalesce(round(avg(${column}), 1)::text, '')`;

/** Seconds until the first reply. Of a case that an administrator began there is none. */
const FIRST_REPLY = 'extract(epoch from c.first_reply_at - c.created_at)';
const IS_REPLIED = 'c.first_reply_at > c.created_at';

const TOTALS = `
  select (select count(*) from support_case where ${within('created_at')}) as opened, resolution.count as resolved,
    (select count(*) from support_case_event where event = 'reopened' and ${within('at')}) as reopened,
    (select ${spread(FIRST_REPLY)} from support_case c where ${within('c.first_reply_at')} and ${IS_REPLIED}) as first_reply,
    resolution.spread as resolution, rated.count as rated, rated.score
  from (select count(*) as count, ${spread('seconds')} as spread
      from support_case_event where event = 'state' and ${within('at')}) resolution,
    (select count(*) as count, ${scoreOf('score')} as score from support_case where ${within('rated_at')}) rated`;

/** Each agent's resolutions; replies and ratings are those of the cases, each once. */
const BY_AGENT = `
  with done as (
    select by_id, case_id, count(*) as times from support_case_event
    where event = 'state' and by_id is not null and ${within('at')} group by by_id, case_id)
  select d.by_id as id, coalesce(a.name, '') as name, sum(d.times) as resolved,
    ${percentile(0.5, FIRST_REPLY).replace('))::int', `) filter (where ${IS_REPLIED}))::int`)} as first_reply_median,
    ${scoreOf('case when c.resolved_by = d.by_id then c.score end')} as score
  from done d join support_case c on c.id = d.case_id left join admin_copy a on a.id = d.by_id
  group by d.by_id, a.name order by resolved desc, d.by_id`;

/** What the desk did in these days. */
export async function readStats(reader: Reader, { from, to }: StatsPeriod): Promise<DeskStats> {
  const [totals, byAgent] = await Promise.all([
    requiredRow<Omit<DeskStats, 'by_agent'>>(reader, TOTALS, [from, to]),
    rows<DeskStats['by_agent'][number]>(reader, BY_AGENT, [from, to]),
  ]);
  return { ...totals, by_agent: byAgent };
}

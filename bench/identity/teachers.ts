import { load, show, type Load, type Stand } from './stand.ts';

const SIZES = [1_000, 100_000];
const STUDENT = { kind: 'user', id: 3_000_000, platform: 'student', tokenId: 1 } as const;

const FIRST = ['Éric', 'Awa', 'María', 'Kofi', 'Aïcha', 'Jürgen', 'Fatou', 'Yao', 'Chloé', 'Idrissa', 'Noël', 'Zoé'];
const LAST = ['Kouamé', 'Traoré', 'Koné', 'N’Guessan', 'Diallo', 'García', 'Müller', 'Bamba', 'Ouattara', 'Sow'];

/** Teachers up to `size`, each with their own surname, one to three skills, a plan and a bio. */
async function fill(stand: Stand, size: number): Promise<void> {
  await stand.sql(
    `insert into account (id, platform, gauth_type, name, email, email_key, phone_number, plan_id, bio, city)
     select 3000000 + n, 'teacher', 'email', ($2::text[])[n % 12 + 1] || ' ' || ($3::text[])[n % 10 + 1] || ' ' || substr(md5(n::text), 1, 6),
       't' || n || '@example.com', 't' || n || '@example.com', '', n % 3 + 1,
       'Prépare aux examens depuis ' || n % 30 || ' ans, méthode ' || substr(md5('m' || n), 1, 5) || ', cours particuliers à domicile.', 'Abidjan'
     from generate_series(1, $1) n on conflict do nothing`,
    [size, FIRST, LAST],
  );
  await stand.sql(
    `insert into account_skill (account_id, skill_id, position)
     select 3000000 + n, (n / 12 * 7 + k * 5) % 12 + 1, k from generate_series(1, $1) n, generate_series(0, 2) k where k <= n % 3
     on conflict do nothing`,
    [size],
  );
  await stand.sql(
    `update account a set search = ' ' || normalised(a.name || ' ' || (select string_agg(s.name, ' ') from account_skill k
       join skill s on s.id = k.skill_id where k.account_id = a.id) || ' ' || coalesce(a.bio, '')),
       tags = array(select k.skill_id from account_skill k where k.account_id = a.id) || array[-a.plan_id]
     where a.platform = 'teacher' and a.search = ''`,
  );
  await stand.sql(
    `insert into presence (account_id, seen_at) select 3000000 + n, app_now() from generate_series(1, 500) n
     on conflict (account_id) do update set seen_at = excluded.seen_at`,
  );
  await stand.sql('update directory_version set version = version + 1');
  await stand.sql('vacuum analyze account');
  await stand.sql('vacuum analyze account_skill');
}

const path = (query: Record<string, string | number>) =>
  `/api/teachers?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()}`;

/** Kinds of searches: names, skills with and without words, plans, who is online, and the first pages of all. */
const KINDS: Record<string, (n: number, word: string) => string> = {
  'a full name': (n, word) => path({ q: `${FIRST[n % 12]} ${word}` }),
  'a rare word': (_n, word) => path({ q: word }),
  'a common word': (n) => path({ q: ['eric', 'mathematics', 'examens', 'koné'][n % 4] ?? '' }),
  'a skill': (n) => path({ skill_id: (n % 12) + 1 }),
  'a skill and a word': (n) => path({ skill_id: (n % 12) + 1, q: FIRST[n % 12] ?? '' }),
  'a plan': (n) => path({ plan_id: (n % 3) + 1 }),
  'who is online': () => path({ online: 1 }),
  'the first pages': (n) => path({ page: (n % 5) + 1 }),
};

/** Conditions; `few`: so few match that the query finds all before it sorts them. */
const EXPLAINED: Record<string, [condition: string, few: boolean]> = {
  'the first page': ['true', false],
  'a rare word': [`a.search like '%c4ca42%'`, true],
  'a common word': [`a.search like '%mathematics%'`, false],
  'a skill': [`a.tags @> '{3}'`, false],
  'a skill, a plan and a word': [`a.search like '%eric%' and a.tags @> '{3,-2}'`, true],
};

async function explain(stand: Stand): Promise<void> {
  for (const [name, [condition, few]] of Object.entries(EXPLAINED)) {
    const found = `select a.id from account a
      where a.platform = 'teacher' and a.status = 'active' and a.deleted_at is null and ${condition}`;
    const page = few ? `with found as materialized (${found}) select id from found` : found;
    const plan = await stand.sql(
      `explain (analyze, costs off, timing off, buffers off) ${page} order by id desc limit 15`,
    );
    console.log(`  plan of ${name}:\n${plan.map((line) => `      ${String(line['QUERY PLAN'])}`).join('\n')}`);
  }
}

const ROUNDS = 5;

/** The median of several short rounds, by p99: other load on the machine disturbs some of them. */
async function middle(clients: number, seconds: number, work: (n: number) => Promise<unknown>): Promise<Load> {
  const rounds: Load[] = [];
  for (let n = 0; n < ROUNDS; n += 1) rounds.push(await load(clients, seconds, work));
  return rounds.sort((a, b) => a.p99 - b.p99)[Math.floor(ROUNDS / 2)]!;
}

/** The slowest first search after a change of the directory, when the number of matches is not cached. */
async function cold(stand: Stand, search: (n: number) => Promise<unknown>): Promise<number> {
  let slowest = 0;
  for (let n = 0; n < 8; n += 1) {
    await stand.sql('update directory_version set version = version + 1 where shard = 1');
    const began = performance.now();
    await search(n);
    slowest = Math.max(slowest, performance.now() - began);
  }
  return slowest;
}

/** p99 of the teacher search at a thousand and at a hundred thousand teachers. */
export async function benchTeachers(stand: Stand, seconds: number): Promise<void> {
  const all: Load[] = [];
  const kinds = Object.values(KINDS);
  for (const size of SIZES) {
    await fill(stand, size);
    const rows = await stand.sql(`select substr(md5(n::text), 1, 6) as word from generate_series(1, 400) n`);
    const words = rows.map((row) => String(row['word']));
    const search = (n: number, kind = kinds[n % kinds.length]) =>
      stand.call('GET', kind!(Math.floor(n / kinds.length), words[n % words.length] ?? ''), STUDENT);
    await load(4, seconds, search);
    const mixed = await middle(4, seconds / 2, search);
    all.push(mixed);
    console.log(`  ${size} teachers, mixed, 4 clients: ${show(mixed)}`);
    for (const [name, kind] of Object.entries(KINDS)) {
      const warm = await load(1, seconds / 4, (n) => search(n, kind));
      const first = await cold(stand, (n) => search(n, kind));
      console.log(`    ${name}, one client: ${show(warm)}; after a change at most ${first.toFixed(1)} ms`);
    }
  }
  const [small, large] = all;
  if (small && large) console.log(`  p99 at 100,000 is ${(large.p99 / small.p99).toFixed(2)} of p99 at 1,000`);
  await explain(stand);
}

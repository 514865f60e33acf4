import { load, openStand, show, type Stand } from './stand.ts';

const STUDENT = { kind: 'user', id: 9_000_000, platform: 'student', tokenId: 1 } as const;
const [SMALL, LARGE] = [1_000, 100_000];
/** Rounds alternate, because other load on the machine changes from second to second. */
const ROUNDS = 5;

/**
 * Inserts teachers with different names, one to three skills and a plan; most have a rating, independent of the plan.
 */
async function fill(stand: Stand, size: number): Promise<void> {
  await stand.sql(
    `insert into account (id, platform, gauth_type, name, email, email_key, phone_number, plan_id, bio, rating, rating_gain)
     select n, 'teacher', 'email', (array['Éric', 'Awa', 'María', 'Kofi'])[n % 4 + 1] || ' ' || substr(md5(n::text), 1, 6),
       't' || n, 't' || n, '', n % 3 + 1, 'Prépare aux examens, méthode ' || substr(md5('m' || n), 1, 5),
       case when n % 7 > 1 then 1 + hashint8(n) & 31 end * 0.1 + 1, case when n % 7 > 1 then (hashint8(n) & 1023) / 500.0 - 1 else 0 end
     from generate_series(1000001, 1000000 + $1) n`,
    [size],
  );
  await stand.sql(`insert into account_skill (account_id, skill_id, position)
    select id, (id / 12 * 7 + k * 5) % 12 + 1, k from account, generate_series(0, 2) k where k <= id % 3 on conflict do nothing`);
  await stand.sql(`update account a set search = ' ' || normalised(a.name || ' ' || (select string_agg(s.name, ' ')
      from account_skill k join skill s on s.id = k.skill_id where k.account_id = a.id) || ' ' || a.bio),
    tags = array(select k.skill_id from account_skill k where k.account_id = a.id) || array[-a.plan_id]`);
  await stand.sql(`insert into rating_copy (teacher_id, reviews, stars, version, ranked_by)
    select id, 3, 12, 1, 100 from account where rating is not null`);
  await stand.sql('update directory_version set version = version + 1');
  await stand.sql('vacuum analyze');
}

const KINDS: Record<string, (n: number) => Record<string, string | number>> = {
  newest: (n) => ({ page: (n % 5) + 1 }),
  'by rating': (n) => ({ sort: 'rating', page: (n % 5) + 1 }),
  'by price': (n) => ({ sort: 'price', page: (n % 5) + 1 }),
  'a skill by rating': (n) => ({ sort: 'rating', skill_id: (n % 12) + 1 }),
  'a plan by rating': (n) => ({ sort: 'rating', plan_id: (n % 3) + 1 }),
  'the best': () => ({ min_rating: '4.0' }),
  'the best by price': () => ({ min_rating: '4.0', sort: 'price' }),
  'a common word by rating': () => ({ q: 'examens', sort: 'rating' }),
  'a rare word by price': (n) => ({ q: `${(n % 800) + 100}`, sort: 'price' }),
};

const median = (figures: number[]) => figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

/** Compares the p99 of the search among 100,000 teachers with the search among 1,000. */
export async function benchTeachers(seconds: number): Promise<void> {
  const small = await openStand();
  const large = await openStand();
  try {
    await fill(small, SMALL);
    await fill(large, LARGE);
    const search = (stand: Stand, kinds: string[]) => (n: number) => {
      const query = KINDS[kinds[n % kinds.length]!]!(Math.floor(n / kinds.length));
      const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
      return stand.call('GET', `/api/teachers?${text}`, STUDENT);
    };
    for (const kinds of [Object.keys(KINDS), ...Object.keys(KINDS).map((kind) => [kind])]) {
      const each = kinds.length > 1 ? seconds : seconds / 4;
      for (const stand of [small, large]) await load(1, each, search(stand, kinds));
      const ratios: number[] = [];
      let shown = '';
      for (let round = 0; round < ROUNDS; round += 1) {
        const [few, many] = [await load(2, each, search(small, kinds)), await load(2, each, search(large, kinds))];
        ratios.push(many.p99 / few.p99);
        shown = `1,000: ${show(few)}; 100,000: ${show(many)}`;
      }
      console.log(
        `  ${kinds.length > 1 ? 'all mixed' : kinds[0]}: p99 is ${median(ratios).toFixed(2)} times (${shown})`,
      );
    }
  } finally {
    await small.close();
    await large.close();
  }
}

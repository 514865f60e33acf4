import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql, withDatabase } from '@tutoring/shared/testing/infra';
import type { Stand } from './stand.ts';

const CALLS = 500;

/** What any service that charges must write: the reference, two balances, two entries, an event. */
const SCHEMA = `
  create table account (id bigint primary key, balance bigint not null) with (fillfactor = 80);
  create table charged (reference text primary key);
  create table entry (id bigint generated always as identity primary key, account_id bigint not null, amount bigint not null);
  create table event (id bigint generated always as identity primary key, data jsonb not null, sent_at timestamptz);
  create index event_unsent on event (id) where sent_at is null;
  insert into account select n, 1000000000 from generate_series(1, ${2 * CALLS}) n;
  create function charge(reference text, student bigint, teacher bigint, amount bigint) returns void language plpgsql as $$
  begin
    insert into charged values (reference);
    update account set balance = balance - amount where id = student;
    update account set balance = balance + amount where id = teacher;
    insert into entry (account_id, amount) values (student, -amount), (teacher, amount);
    insert into event (data) values (jsonb_build_object('reference', reference, 'amount', amount));
  end $$;`;

const SCRIPT = `
\\set student random(1, ${CALLS})
select charge(gen_random_uuid()::text, :student, :student + ${CALLS}, 50);
`;

/** One charge per transaction, as one SQL function, on the stand's own PostgreSQL: charges per second. */
export async function pgbenchCharges(stand: Stand, connections: number, seconds: number): Promise<number> {
  await sql(stand.postgresUrl, 'create database bench_charges');
  const url = withDatabase(stand.postgresUrl, 'bench_charges');
  await sql(url, SCHEMA);
  const script = join(stand.folder, 'charge.sql');
  await writeFile(script, SCRIPT);
  const threads = String(Math.min(2, connections));
  const options = [
    '-n',
    '-M',
    'prepared',
    '-f',
    script,
    '-T',
    String(seconds),
    '-c',
    String(connections),
    '-j',
    threads,
  ];
  const { stdout } = await promisify(execFile)('pgbench', [...options, url]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

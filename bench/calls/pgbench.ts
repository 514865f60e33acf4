import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql, withDatabase } from '@tutoring/shared/testing/infra';
import { chargeScript, seedPeople } from '../wallet-charges.ts';
import type { Stand } from './stand.ts';

const CALLS = 500;

/** The minimal writes of a charge: the reference, two balances, two entries and an event. */
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

/** Transactions per second of a script that each connection runs in a loop. */
async function pgbench(stand: Stand, url: string, script: string, connections: number, seconds: number) {
  const file = join(stand.folder, 'charge.sql');
  await writeFile(file, script);
  const { stdout } = await promisify(execFile)('pgbench', [
    ...['-n', '-M', 'prepared', '-f', file, '-T', String(seconds)],
    ...['-c', String(connections), '-j', String(Math.min(2, connections)), url],
  ]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

/** Charges per second with the wallet's reads and writes, one charge per transaction. */
export async function pgbenchCharges(stand: Stand, connections: number, seconds: number): Promise<number> {
  const people = { students: CALLS, teachers: CALLS };
  const url = await stand.newWallet('pgbench_');
  for (const statement of seedPeople(people)) await sql(url, statement);
  return pgbench(stand, url, chargeScript(people), connections, seconds);
}

/** The same with the minimal writes: the limit of PostgreSQL on this machine. */
export async function pgbenchMinimalCharges(stand: Stand, connections: number, seconds: number): Promise<number> {
  await sql(stand.postgresUrl, 'create database bench_charges');
  const url = withDatabase(stand.postgresUrl, 'bench_charges');
  await sql(url, SCHEMA);
  return pgbench(stand, url, SCRIPT, connections, seconds);
}

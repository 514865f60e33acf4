import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS } from './mutants/mutants.ts';
import { defectiveStack, tryMutants } from './mutants/table.ts';
import { MIXED_RELEASES, DEPLOY, USUAL } from './nemesis/faults.ts';
import { planFaults, type Schedule } from './nemesis/schedule.ts';
import { pictureOf } from './report/picture.ts';
import { reportOf } from './report/report.ts';
import { figuresOf, recoveriesOf } from './report/figures.ts';
import { run, type Outcome } from './run.ts';
import { randomFrom } from './seed.ts';
import { shrink } from './shrink.ts';
import { inOwnNamespace } from './stack/namespace.ts';

/*
 * npm run test:chaos                              all faults for ten minutes; environment: CHAOS_MINUTES and CHAOS_SEED
 * npm run test:chaos -- --faults 'kill NATS'      only these faults, separated by commas; --faults '' for none
 * npm run test:chaos -- --replay FILE             repeats a schedule that a failed run has written
 * npm run test:chaos -- --before COMMIT           starts that release, deploys this one, and runs both side by side
 * npm run test:chaos -- --with MUTANT             runs, replays or shrinks a schedule with that defect
 * npm run test:chaos -- --mutants                 checks that each known defect is caught; --mutant NAME: that one
 */

const finished = await inOwnNamespace();
if (finished !== undefined) process.exit(finished);

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '5' },
    faults: { type: 'string' },
    replay: { type: 'string' },
    before: { type: 'string' },
    with: { type: 'string' },
    mutant: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    shrink: { type: 'string', default: '6' },
    out: { type: 'string', default: '.data/chaos' },
  },
});
const { CHAOS_SEED: seed = String(Date.now() % 1_000_000), CHAOS_MINUTES = '10' } = process.env;
/** A run of at least this length must take every rare path. */
const LONG_MINUTES = 10;

const say = (line: string) => console.log(line);
const out = resolve(values.out);
const pairs = Number(values.pairs);
/** The sources to run: this checkout, after an earlier release if one is given, or a copy with a defect. */
const stack = {
  ...(values.before !== undefined && { before: values.before }),
  ...(values.with !== undefined && defectiveStack(values.with)),
};

function scheduleOf(): Schedule {
  if (values.replay !== undefined) return JSON.parse(readFileSync(values.replay, 'utf8')) as Schedule;
  const minutes = Number(CHAOS_MINUTES);
  const only = values.faults?.split(',').filter(Boolean);
  const faults = planFaults({
    random: randomFrom(`${seed}/faults`),
    minutes,
    only: only ?? (values.before === undefined ? USUAL : [...USUAL, MIXED_RELEASES]),
  });
  const deployment = { atMs: 5_000, lastsMs: 1, fault: DEPLOY, target: '-' };
  return { seed, minutes, faults: values.before === undefined ? faults : [deployment, ...faults] };
}

function printOutcome({ record, faults, restMs, events, confirmed, skipped }: Outcome): void {
  say(`${record.total()} requests, ${events} events, ${faults.length} faults, at rest after ${restMs ?? '?'} ms`);
  say(`confirmed: ${JSON.stringify(confirmed)}`);
  say(`answers: ${JSON.stringify(Object.fromEntries(record.answers))}`);
  for (const { fault, count, p50Ms, maxMs } of recoveriesOf(faults))
    say(
      `  ${count} times ${fault}: recovered after ${p50Ms?.toFixed(0) ?? '?'} ms, at most ${maxMs?.toFixed(0) ?? '?'} ms`,
    );
  for (const [path, times] of record.sometimes) say(`  sometimes, ${times} times: ${path}`);
  for (const [line, times] of record.logged) say(`  logged ${times} times: ${line}`);
  for (const [fault, why] of skipped) say(`  skipped on this machine: ${fault}: ${why}`);
  for (const { at, what, detail } of record.violations) say(`RED at ${(at / 1000).toFixed(1)} s: ${what}: ${detail}`);
}

function writeReport(outcome: Outcome): void {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'schedule.json'), `${JSON.stringify(outcome.schedule, null, 1)}\n`);
  writeFileSync(join(out, 'figures.json'), `${JSON.stringify(figuresOf(outcome))}\n`);
  writeFileSync(join(out, 'report.html'), reportOf(outcome));
  writeFileSync(join(out, 'timeline.svg'), pictureOf(outcome));
  say(`report: ${join(out, 'report.html')}`);
}

async function shrinkSchedule({ schedule, record }: Outcome): Promise<void> {
  const [first] = record.violations;
  const isRed = async (shorter: Schedule) => {
    const again = await run({ schedule: shorter, pairs, stack, failFast: true, say: () => undefined });
    const red = again.record.violations.some(({ what }) => what === first?.what);
    say(`with ${shorter.faults.length} faults: ${red ? 'red' : 'green'}`);
    return red;
  };
  const shortest = await shrink(schedule, isRed, Number(values.shrink));
  const file = join(out, 'shorter.json');
  writeFileSync(file, `${JSON.stringify(shortest, null, 1)}\n`);
  say(
    `still red with ${shortest.faults.length} of ${schedule.faults.length} faults: npm run test:chaos -- --replay ${file}`,
  );
}

async function runOnce(): Promise<boolean> {
  const schedule = scheduleOf();
  say(`seed ${schedule.seed}, ${schedule.minutes} minutes: CHAOS_SEED=${schedule.seed} repeats it`);
  const outcome = await run({ schedule, pairs, stack, say });
  const { record } = outcome;
  if (schedule.minutes >= LONG_MINUTES && schedule.faults.length > 0)
    for (const [path, times] of record.sometimes)
      if (times === 0) record.violation('a rare path was never taken', path);
  printOutcome(outcome);
  writeReport(outcome);
  if (record.broken() > 0 && schedule.faults.length > 0 && values.replay === undefined && Number(values.shrink) > 0)
    await shrinkSchedule(outcome);
  say(record.broken() === 0 ? 'green' : `red: ${record.broken()} violations`);
  return record.broken() === 0;
}

const names = values.mutants ? Object.keys(MUTANTS) : values.mutant && [values.mutant];
const isGreen = names ? (await tryMutants(names, seed, say)) === 0 : await runOnce();
process.exit(isGreen ? 0 : 1);

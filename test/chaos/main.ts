import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { planFaults, type Schedule } from './nemesis/schedule.ts';
import { run, type Outcome } from './run.ts';
import { randomFrom } from './seed.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: process.env['CHAOS_SEED'] ?? String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: process.env['CHAOS_MINUTES'] ?? '10' },
    pairs: { type: 'string', default: '5' },
    faults: { type: 'string' },
    replay: { type: 'string' },
    'no-faults': { type: 'boolean', default: false },
  },
});

const say = (line: string) => console.log(line);

function scheduleOf(): Schedule {
  if (values.replay !== undefined) return JSON.parse(readFileSync(values.replay, 'utf8')) as Schedule;
  const { seed } = values;
  const minutes = Number(values.minutes);
  const only = values['no-faults'] ? [] : values.faults?.split(',');
  const random = randomFrom(`${seed}/faults`);
  return { seed, minutes, faults: planFaults({ random, minutes, ...(only && { only }) }) };
}

function tell({ record, faults, restMs, events, confirmed, skipped }: Outcome): void {
  say(`requests ${record.total()}, events ${events}, faults ${faults.length}, at rest after ${restMs} ms`);
  say(`answers ${JSON.stringify(Object.fromEntries(record.answers))}`);
  say(`confirmed ${JSON.stringify(confirmed)}`);
  say(`sometimes ${JSON.stringify(Object.fromEntries(record.sometimes), null, 1)}`);
  say(`errors in logs ${JSON.stringify(Object.fromEntries(record.logged), null, 1)}`);
  for (const [fault, why] of skipped) say(`not here: ${fault}: ${why}`);
  for (const { fault, target, beganMs, endedMs, recoveryMs } of faults)
    say(
      `${(beganMs / 1000).toFixed(1)}-${(endedMs / 1000).toFixed(1)} ${fault} ${target} recovered ${recoveryMs?.toFixed(0) ?? '?'}`,
    );
  for (const { at, what, detail } of record.violations)
    say(`VIOLATION at ${(at / 1000).toFixed(1)} s: ${what}: ${detail}`);
}

const schedule = scheduleOf();
say(`seed ${schedule.seed}, ${schedule.minutes} minutes`);
const outcome = await run({ schedule, pairs: Number(values.pairs), say });
tell(outcome);
writeFileSync('/tmp/chaos-last.json', JSON.stringify(schedule, null, 1));
process.exit(outcome.record.broken() > 0 ? 1 : 0);

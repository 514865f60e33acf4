import { setTimeout as pause } from 'node:timers/promises';
import { checkCopiesAndFigures } from './checks/copies.ts';
import { checkMoney } from './checks/money.ts';
import { checkPayouts } from './checks/payout.ts';
import { waitUntilAtRest } from './checks/rest.ts';
import { checkTalk } from './checks/talk.ts';
import { checkTampering } from './checks/tamper.ts';
import { startWatch } from './checks/watch.ts';
import { createNemesis, type InjectedFault } from './nemesis/nemesis.ts';
import type { Schedule } from './nemesis/schedule.ts';
import { createOracle } from './oracle/oracle.ts';
import { createRecord, type Recorder } from './record.ts';
import { randomFrom } from './seed.ts';
import { countRarePaths, RARE_PATHS } from './sometimes.ts';
import type { LogLine } from './stack/product.ts';
import { startStack, type StackOptions } from './stack/stack.ts';
import type { World } from './world.ts';
import { startCrowd } from './workload/crowd.ts';

export interface RunOptions {
  schedule: Schedule;
  /** Pairs of a student and a teacher. */
  pairs: number;
  stack?: Pick<StackOptions, 'root' | 'before' | 'durable' | 'env' | 'replicasOfEach'>;
  /** Ends the run at the first violation. */
  failFast?: boolean;
  say: (line: string) => void;
}

export interface Outcome {
  schedule: Schedule;
  record: Recorder;
  faults: InjectedFault[];
  skipped: Map<string, string>;
  restMs: number | undefined;
  events: number;
  /** Numbers of confirmed requests. */
  confirmed: { deposits: number; withdrawals: number; batches: number; messages: number; calls: number; files: number };
}

/** How long requests may be retried after the last fault: longer than the key of a dead request stays locked. */
const GIVE_UP_MS = 75_000;
const SECOND_MS = 1_000;
/** A run that takes this much longer than its workload is stuck and is ended. */
const STUCK_AFTER_MS = 480_000;
/** Time for a stuck run to shut down before this process exits. */
const SHUTDOWN_MS = 60_000;

/** Ends this process if the run gets stuck. The returned function cancels this. */
function abortIfStuck(minutes: number): () => void {
  const timer = setTimeout(
    () => {
      process.kill(process.pid, 'SIGTERM');
      setTimeout(() => process.exit(1), SHUTDOWN_MS);
    },
    minutes * 60_000 + STUCK_AFTER_MS,
  );
  return () => clearTimeout(timer);
}

async function untilOver(world: World, minutes: number, failFast: boolean): Promise<void> {
  const end = minutes * 60_000;
  while (world.record.now() < end && !(failFast && world.record.broken() > 0)) await pause(200);
}

/** Counts error lines in the logs, and log lines that are rare paths. */
function listenToLogs(record: Recorder) {
  return (replica: string, line: LogLine) => {
    const isBad = line.level === 'raw' || line.level === 'error' || line.level === 'fatal' || Number(line.level) >= 50;
    if (line.msg !== undefined && record.sometimes.has(line.msg)) record.seen(line.msg);
    const reason = line.level === 'fatal' && line.err ? `: ${line.err.message}` : '';
    if (isBad) record.logLine(`${replica.replace(/-\d+$/, '')}: ${(line.msg ?? '').slice(0, 200)}${reason}`);
  };
}

/** Runs the system with simulated users and the faults of the schedule, and makes every check. */
export async function run(options: RunOptions): Promise<Outcome> {
  const { schedule, pairs, failFast = false, say } = options;
  let start = performance.now();
  const record = createRecord(() => performance.now() - start);
  RARE_PATHS.forEach(record.watchFor);
  const stack = await startStack({
    ...options.stack,
    onLine: listenToLogs(record),
    onDeath: (replica, exit) => record.violation('a process exited unexpectedly', { replica, ...exit }),
  });
  const control = { over: false, giveUp: new AbortController() };
  const nemesis = createNemesis(stack, record, schedule.faults);
  const world: World = {
    stack,
    record,
    oracle: createOracle(),
    random: randomFrom(schedule.seed),
    isOver: () => control.over,
    isCalm: (forMs = 0) => nemesis.isCalm(forMs),
    giveUp: control.giveUp.signal,
  };
  const clearAbort = abortIfStuck(schedule.minutes);
  let restMs: number | undefined;
  let events = 0;
  try {
    say(`everything is up after ${(record.now() / SECOND_MS).toFixed(0)} s`);
    start = performance.now();
    const crowd = await startCrowd(world, pairs);
    say(
      `${pairs} pairs are registered after ${(record.now() / SECOND_MS).toFixed(0)} s; ${schedule.faults.length} faults to come`,
    );
    start = performance.now();
    record.begin();
    const stopWatch = startWatch(world, crowd.client);
    const faults = nemesis.run();
    await untilOver(world, schedule.minutes, failFast);
    control.over = true;
    nemesis.stop();
    await faults;
    await stack.product.allUp();
    if (!failFast || record.broken() === 0) {
      const timer = setTimeout(() => control.giveUp.abort(), GIVE_UP_MS);
      await crowd.done;
      clearTimeout(timer);
      say(`the workload has ended after ${(record.now() / SECOND_MS).toFixed(0)} s; checking`);
      restMs = await waitUntilAtRest(world);
      await pause(SECOND_MS);
      await checkMoney(world, crowd.client);
      await checkPayouts(world, crowd.admin);
      await checkTalk(world, crowd.client, crowd.listeners);
      await checkCopiesAndFigures(world, crowd.client, crowd.admin);
      events = await countRarePaths(world, crowd.listeners);
    }
    await stopWatch();
    if (record.broken() === 0) await checkTampering(world);
    for (const listener of crowd.listeners) listener.close();
  } catch (error) {
    record.violation(
      'the run failed with an error',
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    );
  } finally {
    clearAbort();
    control.over = true;
    control.giveUp.abort();
    await stack.stop();
  }
  const { deposits, withdrawals, batches, messages, calls, files } = world.oracle;
  const must = (list: Iterable<{ made: string }>) => [...list].filter(({ made }) => made === 'must').length;
  return {
    schedule,
    record,
    faults: nemesis.happened,
    skipped: nemesis.skipped,
    restMs,
    events,
    confirmed: {
      deposits: must(deposits),
      withdrawals: must(withdrawals),
      batches: batches.length,
      messages: must(messages.values()),
      calls: calls.size,
      files: files.length,
    },
  };
}

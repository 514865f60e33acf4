import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConfigError, UsageError } from './config.ts';
import { STOP_WITHIN_MS, withTimeout } from './deadlines.ts';
import { createLogger, type Logger } from './logger.ts';
import { startTracing } from './context.ts';

/**
 * With many requests in flight, V8 may conclude that the objects of requests live long, and allocate them in the old
 * generation from then on, which costs 50 % more CPU.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';

/**
 * Frees the garbage of loading modules, a fifth of an idle process's memory. V8 only collects garbage when it
 * allocates, which an idle process does not do.
 */
function collectStartupGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Runs a process until it exits. SIGTERM, SIGINT or the parent's exit stop it gracefully within 25 seconds, with exit
 * code 0. A second signal exits at once. An uncaught error is logged, then the process stops gracefully with exit code
 * 1.
 */
export async function runProcess(
  name: string,
  env: Record<string, string | undefined>,
  start: (logger: Logger) => Promise<{ stop(): Promise<void> } | undefined>,
): Promise<void> {
  setFlagsFromString(NO_PRETENURING);
  const logger = createLogger(name, env['LOG_LEVEL'] || 'info');
  let running: Awaited<ReturnType<typeof start>>;
  let stopTracing = () => Promise.resolve();
  let stoppingSince: number | undefined;

  const stop = (reason: string, exitCode: number) => {
    if (stoppingSince !== undefined) {
      // Ctrl-C in a terminal and the supervisor's SIGTERM arrive together: they count as one signal.
      if (reason.startsWith('SIG') && Date.now() - stoppingSince > 1_000) process.exit(1);
      return;
    }
    stoppingSince = Date.now();
    logger.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    Promise.resolve(running?.stop())
      .then(stopTracing)
      .then(
        () => process.exit(exitCode),
        (error: unknown) => {
          logger.error({ err: error }, 'could not stop cleanly');
          process.exit(1);
        },
      );
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal, 0));
  process.on('disconnect', () => stop('the parent process has exited', 0));
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled rejection');
    stop('unhandledRejection', 1);
  });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception');
    stop('uncaughtException', 1);
  });

  try {
    stopTracing = await startTracing(name, env);
    running = await start(logger);
    if (!running) process.exit();
    collectStartupGarbage();
  } catch (error) {
    if (error instanceof UsageError) process.stderr.write(`${error.message}\n`);
    else if (error instanceof ConfigError) logger.fatal(error.message);
    else logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}

interface Phase {
  limitMs: number;
  /** Stop functions by name; they run at the same time. */
  parts: Record<string, (() => Promise<unknown>) | undefined>;
}

/**
 * Stops a process in phases. A part that fails or exceeds the limit of its phase is logged, and the others are stopped
 * all the same. Then rejects with the names of the failed parts.
 */
export async function shutDown(phases: Phase[], logger: Logger): Promise<void> {
  const failed: string[] = [];
  for (const { limitMs, parts } of phases)
    await Promise.all(
      Object.entries(parts).map(async ([part, stop]) => {
        try {
          await withTimeout(limitMs, Promise.resolve(stop?.()), () => new Error(`not stopped after ${limitMs} ms`));
        } catch (error) {
          failed.push(part);
          logger.error({ err: error, part }, 'a part could not be stopped');
        }
      }),
    );
  if (failed.length > 0) throw new Error(`could not stop: ${failed.join(', ')}`);
}

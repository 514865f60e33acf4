import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConfigError } from './config.ts';
import { STOP_WITHIN_MS } from './deadlines.ts';
import { createLogger, type Logger } from './logger.ts';
import { startTracing } from './tracing.ts';

export interface Running {
  stop(): Promise<void>;
}

/**
 * Under load V8 may guess, from a moment in which many requests were under way, that what a request makes lives long. It
 * then puts each request where only a full collection finds it, for the life of the process: half as much CPU again.
 */
const GUESS_NO_LIFETIMES = '--no-allocation-site-pretenuring';

/**
 * Gives back what loading the modules left behind, a fifth of an idle process's memory. V8 collects when it wants to
 * allocate, which an idle process does not.
 */
function collectGarbageOfStart(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/**
 * Runs a process to its end: SIGTERM, SIGINT or the parent's disappearance stop it gracefully within 25 seconds and it
 * exits 0; a second signal exits at once; what nobody caught is logged, drained and exits 1.
 */
export async function runProcess(
  name: string,
  env: Record<string, string | undefined>,
  start: (logger: Logger) => Promise<Running | undefined>,
): Promise<void> {
  setFlagsFromString(GUESS_NO_LIFETIMES);
  const logger = createLogger(name, env['LOG_LEVEL'] || 'info');
  let running: Running | undefined;
  let stopTracing = () => Promise.resolve();
  let stoppingSince: number | undefined;

  const stop = (reason: string, exitCode: number) => {
    if (stoppingSince !== undefined) {
      // Ctrl-C in a terminal and a supervisor's SIGTERM arrive together: that is one wish, not two.
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

  process.on('SIGTERM', () => stop('SIGTERM', 0));
  process.on('SIGINT', () => stop('SIGINT', 0));
  process.on('disconnect', () => stop('parent gone', 0));
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
    collectGarbageOfStart();
  } catch (error) {
    if (error instanceof ConfigError) logger.fatal(error.message);
    else logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}

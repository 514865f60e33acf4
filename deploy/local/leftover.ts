import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

function commandOf(pid: number): string | undefined {
  const proc = `/proc/${pid}/cmdline`;
  if (existsSync(proc)) return readFileSync(proc, 'utf8').replaceAll('\0', ' ') || undefined;
  const run = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return run.status === 0 ? run.stdout.trim() : undefined;
}

/** The pid in a pid file, if that process runs and its command line contains `marker` (pids are reused). */
export function livingProcess(pidFile: string, marker: string): number | undefined {
  if (!existsSync(pidFile)) return undefined;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  if (!(pid > 1) || pid === process.pid) return undefined;
  return commandOf(pid)?.includes(marker) ? pid : undefined;
}

/** Stops a server that an earlier, killed run left running, and removes its pid file. */
export async function endLeftover(pidFile: string, marker: string, log: (line: string) => void): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', 15_000],
    ['SIGKILL', 5_000],
  ];
  for (const [signal, timeoutMs] of steps) {
    const pid = livingProcess(pidFile, marker);
    if (pid === undefined) break;
    log(`stopping process ${pid}, which an earlier run left running`);
    process.kill(pid, signal);
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline && livingProcess(pidFile, marker) !== undefined) await sleep(50);
  }
  rmSync(pidFile, { force: true });
}

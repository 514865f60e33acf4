import { existsSync, readFileSync } from 'node:fs';

/** Sends a signal to a process; nothing when it has gone. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process and what it has started: each backend of PostgreSQL leads a group of its own. */
export function family(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(list)) return [pid];
  return [pid, ...readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number)];
}

/** Ends a process and what it has started at once, as when their machine dies. */
export function kill(pid: number): void {
  for (const member of family(pid)) signal(member, 'SIGKILL');
}

/** Lets a process and what it has started stand still, until the result is called. */
export function halt(pid: number): () => void {
  // First itself: it must not start others meanwhile.
  signal(pid, 'SIGSTOP');
  const halted = family(pid);
  for (const member of halted) signal(member, 'SIGSTOP');
  return () => halted.splice(0).forEach((member) => signal(member, 'SIGCONT'));
}

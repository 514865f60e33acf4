import { readFileSync } from 'node:fs';

/** Sends a signal to a process; does nothing when it has exited. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A process and its children, which may be in other process groups: each PostgreSQL backend leads its own. */
export function family(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return [pid, ...children.split(' ').filter(Boolean).map(Number)];
  } catch {
    // It has exited.
    return [pid];
  }
}

/** Kills the children of a process that have not exited meanwhile. */
export function killChildren(pid: number): void {
  const [, ...children] = family(pid);
  for (const child of children) signal(child, 'SIGKILL');
}

/** Kills a process and its children, as when their machine dies. */
export function kill(pid: number): void {
  for (const member of family(pid)) signal(member, 'SIGKILL');
}

/** Pauses a process and its children until the returned function is called. */
export function halt(pid: number): () => void {
  // The parent first: it must not start more children.
  signal(pid, 'SIGSTOP');
  const halted = family(pid);
  for (const member of halted) signal(member, 'SIGSTOP');
  return () => halted.splice(0).forEach((member) => signal(member, 'SIGCONT'));
}

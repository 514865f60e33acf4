import { spawn, spawnSync } from 'node:child_process';

const MARK = 'CHAOS_NAMESPACE';

const works = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Whether this process runs in a separate network namespace, where packets may be dropped. */
export const hasOwnNetwork = () => process.env[MARK] === 'own' && works('iptables', '-L', '-n');

/**
 * Runs this program again in its own network and mount namespaces, so that it affects nothing outside and leaves
 * nothing mounted. Returns its exit code; undefined when this process is that program, or is not root.
 */
export async function inOwnNamespace(): Promise<number | undefined> {
  if (process.env[MARK] !== undefined || process.getuid?.() !== 0) return undefined;
  const enter = ['--net', '--mount', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
  if (!works('unshare', ...enter, 'true')) return undefined;
  const child = spawn('unshare', [...enter, process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: 'own' },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

const rule = (verb: '-I' | '-D', port: number, share: number) => {
  for (const side of ['--dport', '--sport']) {
    const match = [
      '-p',
      'tcp',
      side,
      String(port),
      '-m',
      'statistic',
      '--mode',
      'random',
      '--probability',
      String(share),
    ];
    // Other programs use iptables, too: waits for its lock.
    spawnSync('iptables', ['-w', verb, 'INPUT', ...match, '-j', 'DROP'], { stdio: 'ignore' });
  }
};

/** Drops this share of the packets from and to a port; the returned function stops it. */
export function losePackets(port: number, share: number): () => void {
  rule('-I', port, share);
  return () => rule('-D', port, share);
}

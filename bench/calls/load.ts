import { Agent, request } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { tokenOf } from './stand.ts';

/** A client with at most `connections` keep-alive connections. `post` rejects unless the response is a success. */
export function createClient(url: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, agentKeepAliveTimeoutBuffer: 2_500 });
  const { hostname, port } = new URL(url);

  function post<T>(userId: number, path: string, body: unknown): Promise<T> {
    const text = JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${tokenOf(userId)}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    };
    return new Promise((resolve, reject) => {
      const sent = request({ agent, hostname, port, path, method: 'POST', headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const answer = JSON.parse(Buffer.concat(parts).toString()) as { success?: boolean; data: T };
          if (answer.success === true) resolve(answer.data);
          else reject(new Error(`${path} for user ${userId}: ${JSON.stringify(answer)}`));
        });
      });
      sent.on('error', reject);
      sent.end(text);
    });
  }
  return { post, close: () => agent.destroy() };
}

export type Client = ReturnType<typeof createClient>;

/** Runs `work` on every item, `width` at a time. */
export async function forEachConcurrently<Item>(
  items: Item[],
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const milliseconds = (value: number) => `${value.toFixed(1)} ms`;

const TICKS_PER_SECOND = 100;

/** CPU seconds of a process and its children, including exited ones. Zero without /proc. */
export function cpuSeconds(pid: number): number {
  const stats = new Map<number, { parent: number; own: number; ended: number }>();
  try {
    for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const text = statOf(entry);
      if (text === undefined) continue;
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [parent = 0, own = 0, ended = 0] = [fields[1], fields[11]! + fields[12]!, fields[13]! + fields[14]!];
      stats.set(Number(entry), { parent, own, ended });
    }
  } catch {
    return 0;
  }
  const root = stats.get(pid);
  const children = [...stats.values()].filter(({ parent }) => parent === pid);
  const isServer = children.length > 0 && pid !== process.pid;
  const ticks = (root?.own ?? 0) + (isServer ? root!.ended + children.reduce((sum, child) => sum + child.own, 0) : 0);
  return ticks / TICKS_PER_SECOND;
}

function statOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}

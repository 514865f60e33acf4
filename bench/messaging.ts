import { benchSend } from './messaging/send.ts';
import { withStand } from './messaging/stand.ts';
import { benchStreams } from './messaging/streams.ts';

const parts = { send: benchSend, streams: benchStreams };

/** `npm run bench -- messaging [send | streams]`: one part or both, each on new durable servers. */
export async function run(args: string[]): Promise<void> {
  const wanted = Object.entries(parts).filter(([name]) => args.length === 0 || args.includes(name));
  for (const [name, part] of wanted) {
    console.log(`\n${name}`);
    await withStand(part);
  }
}

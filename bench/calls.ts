import { benchBills } from './calls/bills.ts';
import { benchRings } from './calls/rings.ts';
import { benchSlots } from './calls/slots.ts';
import { openStand } from './calls/stand.ts';

const parts = { bills: benchBills, rings: benchRings, slots: benchSlots };
const DEFAULT_SECONDS = 10;

/**
 * `npm run bench -- calls [bills | rings | slots] [seconds]`: all parts or some of them, on the same durable servers.
 */
export async function run(args: string[]): Promise<void> {
  const seconds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? DEFAULT_SECONDS);
  const names = Object.keys(parts).filter((name) => args.includes(name));
  const stand = await openStand();
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (names.length > 0 && !names.includes(name)) continue;
      console.log(name);
      await part(stand, seconds);
    }
  } finally {
    await stand.close();
  }
}

import type { Person } from '../person.ts';
import type { Random } from '../seed.ts';
import type { World } from '../world.ts';
import type { Client } from './client.ts';

interface Account {
  id: number;
  account: string;
}

/** Teachers add a payout account, reuse it, and sometimes delete it. */
export function createPayoutAccounts(world: World, client: Client) {
  const known = new Map<number, number>();

  async function add(teacher: Person, random: Random): Promise<number | undefined> {
    const request = {
      method: 'POST' as const,
      path: 'api/payout-accounts',
      by: teacher,
      body: {
        method: 'tmoney',
        account: `+2289011${String(teacher.id).padStart(4, '0')}`,
        holder_name: teacher.name,
        current_password: teacher.password,
      },
      keyed: true,
    };
    const send = random.pick([client.ask, client.askTwice]);
    const answer = await send<Account>(request);
    if (answer.kind !== 'done') return undefined;
    const { id } = answer.data;
    // The same account again, under another key, is the existing one.
    const again = random.chance(0.3) ? await client.ask<Account>(request) : answer;
    if (again.kind === 'done' && again.data.id !== id)
      world.record.violation('a payout account is stored twice', { teacher: teacher.id, id, again: again.data.id });
    known.set(teacher.id, id);
    return id;
  }

  /** Deletes the account, which is refused while a withdrawal to it is open. */
  async function remove(teacher: Person, id: number): Promise<void> {
    const path = `api/payout-accounts/${id}`;
    // A repeat after a lost answer may get a 404.
    const answer = await client.ask({ method: 'DELETE', path, by: teacher, refusals: [404, 409] });
    if (answer.kind === 'lost' || (answer.kind === 'refused' && answer.status === 409)) return;
    known.delete(teacher.id);
  }

  /** The account for a new withdrawal; undefined: none could be added. */
  return async (teacher: Person, random: Random): Promise<number | undefined> => {
    const id = known.get(teacher.id);
    if (id !== undefined && random.chance(0.1)) await remove(teacher, id);
    return known.get(teacher.id) ?? add(teacher, random);
  };
}

import { benchLogin } from './identity/login.ts';
import { openStand } from './identity/stand.ts';
import { benchTeachers } from './identity/teachers.ts';
import { benchTokens } from './identity/tokens.ts';

const parts = { tokens: benchTokens, login: benchLogin, teachers: benchTeachers };
const DEFAULT_SECONDS = 10;

/** `npm run bench -- identity [tokens | login | teachers] [seconds]`: one part or all, on one stand with durable servers. */
export async function run(args: string[]): Promise<void> {
  const seconds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? DEFAULT_SECONDS);
  const wanted = args.filter((arg) => arg in parts);
  const stand = await openStand();
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      console.log(name);
      await part(stand, seconds);
    }
  } finally {
    await stand.close();
  }
}

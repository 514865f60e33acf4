import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { operatorFile } from './environment.ts';
import { SERVICES, type Service } from './settings.ts';

/* `npm run admin`, `npm run events`, `npm run audit`: operators' commands for the stack that runs on DATA_DIR. */

const USAGE = `usage: npm run admin -- list | create|reset|promote|demote|totp-off <email>
       npm run admin -- roles|invite <email> <role>...
       npm run events -- <service> resync <event> --consumer <service> | <service> retry [event]
       npm run audit`;

const root = resolve(import.meta.dirname, '../..');
const dataDir = resolve(root, process.env['DATA_DIR'] || '.data');
const file = operatorFile(dataDir);

interface Command {
  service: Service;
  entry: string;
  args: string[];
}

/** Undefined when there is no such command. */
function commandOf([name, ...args]: string[]): Command | undefined {
  const service = name === 'events' ? args.shift() : { admin: 'identity', audit: 'wallet' }[name ?? ''];
  const known = SERVICES.find((each) => each === service);
  if (!known || (name === 'audit' && args.length > 0)) return undefined;
  if (name === 'audit') return { service: known, entry: 'audit/main.ts', args };
  return { service: known, entry: 'main.ts', args: [name ?? '', ...args] };
}

function run({ service, entry, args }: Command): number {
  const environments = JSON.parse(readFileSync(file, 'utf8')) as Record<Service, Record<string, string>>;
  const env = { ...environments[service], LOG_LEVEL: 'warn' };
  const path = resolve(root, 'services', service, 'src', entry);
  return spawnSync(process.execPath, [path, ...args], { env, stdio: 'inherit' }).status ?? 1;
}

function refuse(sentence: string): number {
  console.error(sentence);
  return 1;
}

const command = commandOf(process.argv.slice(2));
if (!command) process.exitCode = refuse(`There is no such command.\n${USAGE}`);
else if (!existsSync(file))
  process.exitCode = refuse(`No stack runs on ${dataDir}: start it with npm start, or name its folder with DATA_DIR.`);
else process.exitCode = run(command);

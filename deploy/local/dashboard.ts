import { spawn } from 'node:child_process';
import { guard } from './guard.ts';
import { say } from './log.ts';

/** Builds the administrators' dashboard by this script. False when it fails: everything else serves without it. */
export async function buildDashboard(script: string): Promise<boolean> {
  say('building the dashboard');
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'inherit', 'inherit'] });
  const { code } = await guard(child, 'service');
  if (code === 0) return true;
  say(
    'the dashboard could not be built: all else starts, and /admin has its last build or says that there is none',
    'error',
  );
  return false;
}

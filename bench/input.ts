import { performance } from 'node:perf_hooks';
import { readJson } from '@tutoring/shared/http/read/json-reader';
import { objectShape } from '@tutoring/shared/http/read/shape';
import { validate } from '@tutoring/shared/http/read/validation';
import { registerBody } from '../services/identity/src/registration/registration.ts';
import { worstBodies } from './bodies.ts';

/*
 * The time to read and validate the worst bodies for `register`, the route with the most fields: median of 15, and the
 * ratio to a plain text of the same length.
 *
 *   npm run bench -- input
 */
const ROUNDS = 15;
const LIMIT_MS = 20;
const shape = objectShape(registerBody);

async function cost(body: string): Promise<number> {
  const bytes = Buffer.from(body);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    await validate(registerBody, readJson(bytes, shape)).catch(() => undefined);
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

export async function run(): Promise<void> {
  const plain = await cost(`{"unknown":"${'a'.repeat(1024 * 1024 - 64)}"}`);
  console.log(`${'a plain text'.padEnd(32)} ${plain.toFixed(1).padStart(6)} ms`);
  let worst = 0;
  for (const [name, body] of Object.entries(worstBodies('name', 'domains'))) {
    const took = await cost(body);
    worst = Math.max(worst, took);
    console.log(`${name.padEnd(32)} ${took.toFixed(1).padStart(6)} ms ${(took / plain).toFixed(1).padStart(6)} x`);
  }
  console.log(`worst: ${worst.toFixed(1)} ms, limit ${LIMIT_MS} ms`);
  if (worst > LIMIT_MS) process.exitCode = 1;
}

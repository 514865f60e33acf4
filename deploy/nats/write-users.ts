import { writeFile } from 'node:fs/promises';
import { configOf, valuesOf } from './users.ts';

/**
 * Writes the users of NATS: `npm run nats-users`, or `npm run nats-users -- <prefix>` for a system with another
 * NATS_PREFIX.
 */

const prefix = process.argv[2] ?? 'tutoring';
await writeFile(new URL('../compose/nats-users.conf', import.meta.url), configOf(prefix));
await writeFile(new URL('../kubernetes/operators/nats-users.yaml', import.meta.url), valuesOf(prefix));

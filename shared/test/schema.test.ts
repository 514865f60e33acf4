import { expect, test } from '@jest/globals';
import { freePort } from '../../deploy/local/servers.ts';
import { serviceConfig } from '../contract/config.ts';
import { createLogger } from '../kit/process/logger.ts';
import { incompatibilityOf } from '../kit/database/migrate.ts';
import { defineService } from '../contract/service.ts';
import { startTestService } from '../testing/service.ts';
import { eventually } from '../testing/wait.ts';

/* Which release serves which schema: docs/operations.md, "Which pairs serve". */

const AT_1_2 = ['rooms1'];
const AT_1_3 = [...AT_1_2, 'topics2'];
const AT_1_4 = [...AT_1_3, 'needs-1-3-drop-x3'];
const SHARED = [...AT_1_2, 'needs-shared-2-0-drop-y9'];

test.each<[string, string[], string[], string | undefined]>([
  ['1.2.7', AT_1_2, AT_1_2, undefined],
  ['1.2.7', AT_1_2, AT_1_3, undefined],
  ['1.2.7', AT_1_2, AT_1_4, 'newer than this release can serve: needs-1-3-drop-x3 needs 1.3, this is 1.2.7'],
  ['1.3.0', AT_1_3, AT_1_2, 'older than this release: it lacks topics2; run `migrate`'],
  ['1.3.0', AT_1_3, AT_1_3, undefined],
  ['1.3.0', AT_1_3, AT_1_4, undefined],
  ['1.4.0', AT_1_4, AT_1_2, 'older than this release: it lacks topics2, needs-1-3-drop-x3; run `migrate`'],
  ['1.4.0', AT_1_4, AT_1_3, 'older than this release: it lacks needs-1-3-drop-x3; run `migrate`'],
  ['1.4.0', AT_1_4, AT_1_4, undefined],
  ['2.0.0', AT_1_2, AT_1_4, undefined],
  ['1.9.0', AT_1_2, SHARED, 'newer than this release can serve: needs-shared-2-0-drop-y9 needs 2.0, this is 1.0.0'],
])('whether release %s with the migrations %j serves a schema with %j', (own, migrations, run, misfit) => {
  const said = incompatibilityOf({ migrations, versions: { own, shared: '1.0.0' } }, run);
  expect(said).toBe(misfit && `the schema is ${misfit}`);
});

const probe = defineService({
  name: 'calls',
  config: serviceConfig,
  migrations: new URL('../../services/calls/migrations/', import.meta.url),
  build: () => ({ routes: [] }),
});

const lines: string[] = [];
const logger = createLogger('calls', 'info', { write: (line) => void lines.push(line) });
const said = (what: RegExp) => lines.filter((line) => what.test(line)).length;
const status = async (url: string) => (await fetch(url)).status;

test('a process with a too old schema is live and not ready, logs the problem once, and serves after the migration', async () => {
  const port = String(await freePort());
  const at = `http://127.0.0.1:${port}`;
  const take = `delete from migrations where name = 'calls1100000000010' returning "timestamp"`;
  const seen: unknown[] = [];
  const service = await startTestService(probe, {
    env: { PORT: port },
    logger,
    beforeStart: async (asOwner) => {
      const [row] = await asOwner(take);
      void eventually('it waits', () => said(/older than this release: it lacks calls1100000000010/) === 1).then(
        async () => {
          seen.push(await status(`${at}/livez`), await status(`${at}/readyz`), await status(`${at}/api/calls`));
          await asOwner(`insert into migrations ("timestamp", name) values ($1, 'calls1100000000010')`, [
            row!['timestamp'],
          ]);
        },
      );
    },
  });
  expect(seen).toEqual([200, 503, 503]);
  expect(said(/this release can serve the schema now/)).toBe(1);
  expect(await status(`${at}/readyz`)).toBe(200);

  await service.asOwner(`insert into migrations ("timestamp", name) values (9, 'needs-9-0-drop-x9')`);
  await eventually('it is not ready', async () => (await status(`${at}/readyz`)) === 503);
  expect([await status(`${at}/livez`), await status(`${at}/readyz`), said(/newer than this release/)]).toEqual([
    200, 503, 1,
  ]);
  await service.asOwner(`delete from migrations where name = 'needs-9-0-drop-x9'`);
  await eventually('it is ready again', async () => (await status(`${at}/readyz`)) === 200);
  await service.stop();
});

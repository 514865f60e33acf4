import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { SESSION } from '@tutoring/shared/kit/database/session';
import { commands } from '@tutoring/shared/contract/commands';
import * as shared from '@tutoring/shared/kit/process/deadlines';
import * as gateway from '../../gateway/src/deadlines.ts';
import { SILENT_STEPS } from '../../services/calls/src/call/call.ts';
import * as calls from '../../services/calls/src/deadlines.ts';
import * as identity from '../../services/identity/src/deadlines.ts';
import * as messaging from '../../services/messaging/src/deadlines.ts';
import * as wallet from '../../services/wallet/src/deadlines.ts';

/* Compares the time budgets of all processes, in milliseconds, because a change of one of them can break another. */

const { timings } = gateway;
const deadline = (name: keyof typeof commands) => commands[name].deadlineMs;
/** Maximum duration of a statement, until it is canceled and its connection is closed. */
const STATEMENT = shared.STATEMENT_MS + shared.SILENCE_MS;
/**
 * Maximum duration of a charge. It may run twice: after a lost connection the result of the first attempt is unknown.
 */
const CHARGE_AT_MOST = deadline('charge.make-batch') + wallet.CHARGE_PATIENCE_MS + 2 * STATEMENT;
/** A number in a manifest of the deployment. */
async function deployed(file: string, pattern: RegExp): Promise<number> {
  const text = await readFile(new URL(`../../deploy/helm/${file}`, import.meta.url), 'utf8');
  return Number(pattern.exec(text)![1]);
}
const SHUTDOWN_DELAY = await deployed('values.yaml', /SHUTDOWN_DELAY_MS: '(\d+)'/);
const GRACE_PERIOD = 1_000 * (await deployed('templates/deployments.yaml', /terminationGracePeriodSeconds: (\d+)/));
const UNIT = { us: 1e-3, s: 1_000 };

type Row = [what: string, less: number, more: number];
const holds = (rows: Row[]) =>
  test.each(rows)('%s', (_what, less, more) => {
    expect(less).toBeLessThan(more);
  });

test.each(Object.entries(SESSION))('provision.sh gives a role of a service %s %s', async (name, value) => {
  const script = await readFile(new URL('../../deploy/postgres/provision.sh', import.meta.url), 'utf8');
  const settings = [...script.matchAll(/^alter role :"service" set "?(\w+)"? = '(\w+)';$/gm)];
  expect(settings.map(([, ...setting]) => setting)).toContainEqual([name, value]);
});

describe('connections and processes', () => {
  holds([
    ['the gateway closes an idle connection before the service does', timings.idleUpstream, shared.KEEP_ALIVE_MS],
    [
      'a sender of commands closes an idle connection before the service does',
      shared.LEAVE_IDLE_MS,
      shared.KEEP_ALIVE_MS,
    ],
    [
      'clients leave idle connections before a draining process of a deployment closes them',
      shared.IDLE_SECONDS * UNIT.s,
      SHUTDOWN_DELAY,
    ],
    [
      'clients leave idle connections before a crowded gateway closes them',
      shared.IDLE_SECONDS * UNIT.s,
      timings.crowdedIdle,
    ],
    ['a service waits longer for headers than the gateway', timings.requestHeaders, shared.HEADERS_MS],
    ['a service waits longer for a request than the gateway', timings.wholeRequest, shared.REQUEST_MS],
    ['a service waits longer for an upload than the gateway', timings.wholeUpload, shared.REQUEST_MS],
    ['an image waits longer in the queue than another image may take', shared.IMAGE_MS, shared.IMAGE_QUEUE_MS],
    [
      'an image is re-encoded and stored while the gateway waits',
      shared.IMAGE_QUEUE_MS + shared.IMAGE_MS + shared.STORE_CONNECT_MS + shared.STORE_SILENCE_MS,
      timings.uploadAnswer,
    ],
    ['an upload is answered before its connection counts as silent', timings.uploadAnswer, timings.silence],
    [
      'an upload is answered before its connection at the service counts as silent',
      timings.uploadAnswer,
      shared.SILENT_CONNECTION_MS,
    ],
    [
      'the gateway disconnects a slow reader before the service closes its silent connection',
      timings.download,
      shared.SILENT_CONNECTION_MS,
    ],
    ['a silent file store is noticed before a client gives up', shared.STORE_SILENCE_MS, timings.download],
    ['a request in flight ends before its process must', SHUTDOWN_DELAY + timings.upstream, shared.STOP_WITHIN_MS],
    ['a draining event stream ends before its process must', gateway.STREAM_DRAIN_MS, shared.STOP_WITHIN_MS],
    ['a request in flight is answered before the rest of the process stops', timings.upstream, shared.STOP_REQUESTS_MS],
    [
      'all phases of a stop end before the process must',
      SHUTDOWN_DELAY + shared.STOP_REQUESTS_MS + shared.STOP_WORK_MS + 2 * shared.STOP_REST_MS + shared.STOP_TRACES_MS,
      shared.STOP_WITHIN_MS,
    ],
    ['a process stops before Kubernetes kills it', shared.STOP_WITHIN_MS, GRACE_PERIOD],
    [
      'a signed identity is valid longer than its request takes',
      shared.RESIGN_AFTER_MS + timings.upstream,
      shared.IDENTITY_MS,
    ],
    [
      'an unreachable NATS server is noticed before a relay counts as hung',
      2 * shared.NATS_PING_MS,
      shared.RELAY_OVERDUE_MS,
    ],
  ]);
});

describe('a request', () => {
  holds([
    ['a lock times out before its statement', shared.LOCK_MS, shared.STATEMENT_MS],
    ['a statement times out before the gateway gives up the request', STATEMENT, timings.upstream],
    ['a failed database connection is reported before the gateway gives up', shared.CONNECT_MS, timings.upstream],
    ['an idle transaction may last longer than a statement', STATEMENT, shared.IDLE_IN_TRANSACTION_MS],
    ['a batch lasts longer than a wait for a lock', shared.LOCK_MS, shared.BATCH_LIMIT_MS],
    [
      'the last item of a batch is done while the gateway waits',
      shared.BATCH_WAIT_MS + shared.BATCH_LIMIT_MS,
      timings.upstream,
    ],
    ['the key of a request in flight is not taken over', timings.upstream, shared.CLAIM_SECONDS * UNIT.s],
    [
      'the key of a request is not taken over while a payment provider is asked twice',
      2 * wallet.PROVIDER_MS + STATEMENT,
      shared.CLAIM_SECONDS * UNIT.s,
    ],
    ['a payment provider answers or times out while the gateway waits', wallet.PROVIDER_MS, timings.upstream],
    ['an issuer may be asked twice while the gateway waits', 2 * identity.ISSUER_MS, timings.upstream],
    [
      'every command is answered or given up while the gateway waits, also after a slow statement',
      Math.max(...Object.values(commands).map(({ deadlineMs }) => deadlineMs)) + STATEMENT,
      timings.upstream,
    ],
    [
      'an export retries a page while the gateway waits',
      identity.EXPORT_RETRY_PAUSES_MS.reduce(
        (sum, pause) => sum + pause + deadline('rooms.export'),
        deadline('rooms.export'),
      ),
      timings.upstream,
    ],
    ['a balance for display waits less than the command may take', identity.BALANCE_MS, deadline('balance.read')],
    [
      'a live call for display waits less than the command may take',
      messaging.LIVE_CALL_MS,
      deadline('live-call.read-batch'),
    ],
    ['a name for display waits less than the command may take', wallet.READ_THROUGH_MS, deadline('user.read')],
    [
      'people and balance of a message wait less than the command may take',
      messaging.READ_THROUGH_MS,
      deadline('user.read'),
    ],
    [
      "the dashboard's figures are read before the cached ones expire",
      deadline('wallet-stats.read'),
      identity.STATS_MAX_AGE_MS,
    ],
    ['a changed setting takes effect within two seconds', messaging.SETTINGS_CACHED_MS, 2_000],
  ]);
});

describe('revocations', () => {
  holds([
    ['a silent revocation link is noticed within a second', gateway.NATS_PING_MS, timings.natsSilence],
    ['a cached token check of a cut-off gateway expires within a second', gateway.VERDICT_WITHOUT_NATS_MS, 1_000],
    ['a tombstone lasts longer than three token checks', 3 * deadline('token.verify'), gateway.TOMBSTONE_MS],
    ['a batch of token checks ends before its tombstones', 3 * deadline('token.verify-batch'), gateway.TOMBSTONE_MS],
    [
      'a person with an open stream counts as online (10 minutes; uses are recorded every 5)',
      300_000 + 1.25 * timings.streamVerdict,
      600_000,
    ],
    ['a cached refusal of a token expires before a cached approval', gateway.BAD_VERDICT_MS, timings.verdict],
  ]);
  /** Time-out of the NATS client for requests about a stream. */
  const NATS_REQUEST = 5_000;
  /** Time until a stream whose token may be revoked ends, while identity does not answer. */
  const IN_DOUBT = timings.streamCheck + timings.streamUnconfirmed + timings.streamCheck;
  holds([
    [
      'a stream ends within 30 s when the gateway is cut off and identity is down',
      timings.streamVerdictUnconfirmed + IN_DOUBT,
      30_000,
    ],
    [
      'a stream whose revocation was lost ends within 30 s when identity is down',
      2 * timings.revocationsPoll + NATS_REQUEST + IN_DOUBT,
      30_000,
    ],
    [
      'a stream with a token that identity refuses ends sooner',
      3 * timings.streamCheck + deadline('token.verify-batch'),
      timings.streamUnconfirmed,
    ],
  ]);
  test('a heartbeat and the silence limit together take at most one second', () => {
    expect(gateway.NATS_PING_MS + timings.natsSilence).toBeLessThanOrEqual(1_000);
  });
});

describe('the money of a call', () => {
  holds([
    ['wallet answers a batch before calls gives up', wallet.BATCH_ANSWER_MS, deadline('charge.make-batch')],
    ['a bill waits longer than one charge takes', deadline('charge.make-batch'), calls.BILL_PATIENCE_MS],
    ['a bill is answered within three seconds', calls.BILL_PATIENCE_MS, 3_000],
    [
      'a bill is answered while the gateway waits, including queue and record',
      calls.BILL_QUEUE_MS + calls.BILL_LIMIT_MS + calls.BILL_PATIENCE_MS,
      timings.upstream,
    ],
    ['a lease lasts longer than a request to wallet', deadline('charge.make-batch'), calls.LEASE_SECONDS * UNIT.s],
    ['a lease lasts longer than the settlement job waits', calls.SETTLEMENT_PATIENCE_MS, calls.LEASE_SECONDS * UNIT.s],
    [
      'a charge without an answer takes effect while its result is in doubt, or never',
      CHARGE_AT_MOST,
      calls.DOUBT_US * UNIT.us,
    ],
    [
      'a call keeps ringing while wallet places its hold and the answer is recorded',
      deadline('hold.place') + STATEMENT,
      calls.ACCEPTING_GRACE_US * UNIT.us,
    ],
    [
      'a hold without an answer takes effect before it is released, or never',
      deadline('hold.place') + STATEMENT,
      calls.RELEASE_AFTER_SECONDS * UNIT.s,
    ],
    [
      'a hold lasts longer than a doubt and the attempts after it',
      calls.DOUBT_US * UNIT.us + calls.LEASE_SECONDS * UNIT.s,
      wallet.HOLD_SECONDS * UNIT.s,
    ],
    ['a hold lasts longer than a silent call with steps of a minute', SILENT_STEPS * 60, wallet.HOLD_SECONDS],
    [
      'an account stays frozen longer than identity takes to delete it',
      deadline('obligations.check') + deadline('live-call.read') + 3 * STATEMENT,
      wallet.FROZEN_SECONDS * UNIT.s,
    ],
  ]);
});

describe('jobs', () => {
  holds([
    ['a hung leader is replaced before its relay counts as hung', shared.LEASE_MS, shared.RELAY_OVERDUE_MS],
    ['a publish is acknowledged or times out within the lease', shared.PUBLISH_MS, shared.LEASE_MS],
    [
      'the claim of a deposit lasts while its provider is asked and the answer is recorded',
      wallet.ASK_MS + STATEMENT,
      wallet.ASK_LEASE_SECONDS * UNIT.s,
    ],
    [
      'the claim of a notification lasts while it is sent',
      messaging.PUSH_SEND_MS,
      messaging.PUSH_LEASE_SECONDS * UNIT.s,
    ],
  ]);
});

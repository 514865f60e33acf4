import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { SESSION } from '@tutoring/shared/database/session';
import { commands } from '@tutoring/shared/internal/catalogue';
import * as shared from '@tutoring/shared/process/deadlines';
import * as gateway from '../../gateway/src/deadlines.ts';
import { SILENT_STEPS } from '../../services/calls/src/call/call.ts';
import * as calls from '../../services/calls/src/deadlines.ts';
import * as identity from '../../services/identity/src/deadlines.ts';
import * as messaging from '../../services/messaging/src/deadlines.ts';
import * as wallet from '../../services/wallet/src/deadlines.ts';

/* Compares the time budgets of all processes, in milliseconds: a change of only one of them can break something. */

const { timings } = gateway;
const deadline = (name: keyof typeof commands) => commands[name].deadlineMs;
/** The longest statement: until it is canceled and its connection is closed. */
const STATEMENT = shared.STATEMENT_MS + shared.SILENCE_MS;
/** A charge may run twice: when a connection is cut, it is not known whether the first attempt was charged. */
const CHARGE_AT_MOST = deadline('charge.make-batch') + wallet.CHARGE_PATIENCE_MS + 2 * STATEMENT;
/** A number in a manifest of the deployment. */
async function deployed(file: string, pattern: RegExp): Promise<number> {
  const text = await readFile(new URL(`../../deploy/kubernetes/${file}`, import.meta.url), 'utf8');
  return Number(pattern.exec(text)![1]);
}
const SHUTDOWN_DELAY = await deployed('base/common/kustomization.yaml', /SHUTDOWN_DELAY_MS=(\d+)/);
const GRACE_PERIOD =
  1_000 * (await deployed('components/process/deployment.yaml', /terminationGracePeriodSeconds: (\d+)/));
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
    ['an idle connection of the gateway goes before its service closes it', timings.idleUpstream, shared.KEEP_ALIVE_MS],
    ['an idle connection of a sender of commands goes before, too', shared.LEAVE_IDLE_MS, shared.KEEP_ALIVE_MS],
    [
      'clients leave idle connections before a draining process of a deployment closes them',
      shared.IDLE_SECONDS * UNIT.s,
      SHUTDOWN_DELAY,
    ],
    ['and before a gateway closes those of a crowd', shared.IDLE_SECONDS * UNIT.s, timings.crowdedIdle],
    ['a service waits longer for headers than the gateway', timings.requestHeaders, shared.HEADERS_MS],
    ['a service waits longer for a request than the gateway', timings.wholeRequest, shared.REQUEST_MS],
    ['and for an upload', timings.wholeUpload, shared.REQUEST_MS],
    ['an image waits longer than the one before it may take', shared.IMAGE_MS, shared.IMAGE_QUEUE_MS],
    [
      'an image is written anew, and its file stored, while the gateway waits',
      shared.IMAGE_QUEUE_MS + shared.IMAGE_MS + shared.STORE_CONNECT_MS + shared.STORE_SILENCE_MS,
      timings.uploadAnswer,
    ],
    ['an upload is answered before its connection counts as silent', timings.uploadAnswer, timings.silence],
    ['and at its service', timings.uploadAnswer, shared.SILENT_CONNECTION_MS],
    ['a slow reader is given up before its connection to the service', timings.download, shared.SILENT_CONNECTION_MS],
    ['a store that falls silent is noticed before a client gives up', shared.STORE_SILENCE_MS, timings.download],
    ['a request under way ends before its process must', SHUTDOWN_DELAY + timings.upstream, shared.STOP_WITHIN_MS],
    ['an event stream that drains ends before its process must', gateway.STREAM_DRAIN_MS, shared.STOP_WITHIN_MS],
    ['a request under way is answered before the rest stops', timings.upstream, shared.STOP_REQUESTS_MS],
    [
      'all phases of a stop end before the process must',
      SHUTDOWN_DELAY + shared.STOP_REQUESTS_MS + shared.STOP_WORK_MS + 2 * shared.STOP_REST_MS + shared.STOP_TRACES_MS,
      shared.STOP_WITHIN_MS,
    ],
    ['a process stops before Kubernetes kills it', shared.STOP_WITHIN_MS, GRACE_PERIOD],
    ['an identity outlives its request', shared.RESIGN_AFTER_MS + timings.upstream, shared.IDENTITY_MS],
    ['a NATS that is gone is noticed before a relay counts as hung', 2 * shared.NATS_PING_MS, shared.RELAY_OVERDUE_MS],
  ]);
});

describe('a request', () => {
  holds([
    ['a lock is given up before its statement', shared.LOCK_MS, shared.STATEMENT_MS],
    ['a statement is given up before the gateway gives the request up', STATEMENT, timings.upstream],
    ['no connection to the database: the gateway still hears why', shared.CONNECT_MS, timings.upstream],
    ['a transaction that does nothing outlasts a statement', STATEMENT, shared.IDLE_IN_TRANSACTION_MS],
    ['a batch outlasts whoever waits for a lock', shared.LOCK_MS, shared.BATCH_LIMIT_MS],
    [
      'what a batch takes last is done while the gateway waits',
      shared.BATCH_PATIENCE_MS + shared.BATCH_LIMIT_MS,
      timings.upstream,
    ],
    ['a key is not taken over from a request under way', timings.upstream, shared.CLAIM_SECONDS * UNIT.s],
    [
      'nor from one that the gateway gave up while Stripe was asked twice',
      2 * wallet.STRIPE_MS + STATEMENT,
      shared.CLAIM_SECONDS * UNIT.s,
    ],
    ['an answer of Stripe comes while the gateway waits', wallet.STRIPE_MS, timings.upstream],
    ['an issuer may be asked twice while the gateway waits', 2 * identity.ISSUER_MS, timings.upstream],
    [
      'every command is answered or given up while the gateway waits, also after a slow statement',
      Math.max(...Object.values(commands).map(({ deadlineMs }) => deadlineMs)) + STATEMENT,
      timings.upstream,
    ],
    [
      'an export asks for a page again while the gateway waits',
      identity.EXPORT_REPEATS_MS.reduce(
        (sum, pause) => sum + pause + deadline('rooms.export'),
        deadline('rooms.export'),
      ),
      timings.upstream,
    ],
    ['what is only shown waits less: a balance', identity.BALANCE_MS, deadline('balance.read')],
    ['what is only shown waits less: a live call', messaging.LIVE_CALL_MS, deadline('live-call.read-batch')],
    ['what is only shown waits less: a name', wallet.READ_THROUGH_MS, deadline('user.read')],
    [
      'what is only shown waits less: people and balance of a message',
      messaging.READ_THROUGH_MS,
      deadline('user.read'),
    ],
    [
      "the dashboard's figures are gathered before they are old",
      deadline('wallet-stats.read'),
      identity.STATS_FRESH_MS,
    ],
    ['a changed setting is felt within two seconds', messaging.SETTINGS_FRESH_MS, 2_000],
  ]);
});

describe('revocations', () => {
  holds([
    ['a link that fell silent is noticed within the second', gateway.BEAT_MS, timings.silentLink],
    ['cut off, a verdict ends within the second', gateway.CUT_OFF_VERDICT_MS, 1_000],
    ['a tombstone outlasts three questions', 3 * deadline('token.verify'), gateway.TOMBSTONE_MS],
    ['a batch of questions ends before its tombstones', 3 * deadline('token.verify-batch'), gateway.TOMBSTONE_MS],
    [
      'a person who listens is online (10 minutes), uses being recorded after 5',
      300_000 + 1.25 * timings.streamVerdict,
      600_000,
    ],
    ['a bad verdict ends before a good one', gateway.BAD_VERDICT_MS, timings.verdict],
  ]);
  /** The NATS client waits so long for an answer about a stream. */
  const NATS_REQUEST = 5_000;
  /** Looks for those that may be revoked, while nobody vouches for them. */
  const IN_DOUBT = timings.streamLook + timings.streamDoubt + timings.streamLook;
  holds([
    ['cut off and identity away, a stream ends within 30 s', timings.streamUnheard + IN_DOUBT, 30_000],
    [
      'a stream whose revocation never came, identity being away, ends within 30 s',
      2 * timings.revocationsLook + NATS_REQUEST + IN_DOUBT,
      30_000,
    ],
    [
      'one that identity refuses ends sooner',
      3 * timings.streamLook + deadline('token.verify-batch'),
      timings.streamDoubt,
    ],
  ]);
  test('the silence limit and the next heartbeat are within one second', () => {
    expect(gateway.BEAT_MS + timings.silentLink).toBeLessThanOrEqual(1_000);
  });
});

describe('the money of a call', () => {
  holds([
    ['wallet answers a batch before calls gives it up', wallet.BATCH_ANSWER_MS, deadline('charge.make-batch')],
    ['a bill outlasts one charge', deadline('charge.make-batch'), calls.BILL_PATIENCE_MS],
    ['a bill is answered within three seconds', calls.BILL_PATIENCE_MS, 3_000],
    [
      'and while the gateway waits, queue and record included',
      calls.BILL_QUEUE_MS + calls.BILL_LIMIT_MS + calls.BILL_PATIENCE_MS,
      timings.upstream,
    ],
    ['a lease outlasts a request to wallet', deadline('charge.make-batch'), calls.LEASE_SECONDS * UNIT.s],
    ['a lease outlasts the settlement job', calls.SETTLEMENT_PATIENCE_MS, calls.LEASE_SECONDS * UNIT.s],
    ['a lost charge takes effect while its refusal is doubted, or never', CHARGE_AT_MOST, calls.DOUBT_US * UNIT.us],
    [
      'a call rings on while wallet is asked for its hold, and the answer is recorded',
      deadline('hold.place') + STATEMENT,
      calls.ACCEPTING_GRACE_US * UNIT.us,
    ],
    [
      'a hold asked for in vain takes effect before it is released, or never',
      deadline('hold.place') + STATEMENT,
      calls.RELEASE_AFTER_SECONDS * UNIT.s,
    ],
    [
      'a hold outlasts doubt and the tries after it',
      calls.DOUBT_US * UNIT.us + calls.LEASE_SECONDS * UNIT.s,
      wallet.HOLD_SECONDS * UNIT.s,
    ],
    ['a hold outlasts a call that falls silent at a minute a step', SILENT_STEPS * 60, wallet.HOLD_SECONDS],
    [
      'an account is frozen for longer than identity takes to delete it',
      deadline('obligations.check') + deadline('live-call.read') + 3 * STATEMENT,
      wallet.FROZEN_SECONDS * UNIT.s,
    ],
  ]);
});

describe('jobs', () => {
  holds([
    ['a leader that hangs is replaced before its relay counts as hung', shared.LEASE_MS, shared.RELAY_OVERDUE_MS],
    ['the ack of what is published is waited for within the lease', shared.PUBLISH_MS, shared.LEASE_MS],
    [
      'a deposit stays claimed while its provider is asked and the answer is recorded',
      wallet.ASK_MS + STATEMENT,
      wallet.ASK_LEASE_SECONDS * UNIT.s,
    ],
    ['a notification stays claimed while it is sent', messaging.PUSH_SEND_MS, messaging.PUSH_LEASE_SECONDS * UNIT.s],
  ]);
});

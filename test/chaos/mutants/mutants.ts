import { MONEY_MUTANTS } from './money.ts';
import { edit, type Mutant } from './mutant.ts';

const KILLS = ['kill a process', 'kill all replicas', 'end database backends', 'database connections are cut'];
const BROKER = ['kill NATS', 'NATS is out of reach', 'NATS connections are cut'];
const LOSSES = ['answers of COMMIT are lost', 'connections to a service are torn', 'kill all replicas'];

const RELAY = 'shared/kit/events/relay/relay.ts';
const SUBSCRIBE = 'shared/kit/events/consume/subscribe.ts';

export const MUTANTS: Record<string, Mutant> = {
  'fsync off': { edits: [], stack: { durable: false }, faults: ['power cut'] },
  'commits do not wait for the disk': {
    edits: [edit('shared/kit/database/session.ts', `TimeZone: 'UTC',`, `TimeZone: 'UTC', synchronous_commit: 'off',`)],
    faults: ['power cut'],
  },
  'events are marked before they are sent': {
    edits: [
      edit(
        RELAY,
        '    const [outcome, next] = await settleAll([',
        '    await mark(partition, [...urgent, ...batch].map((row) => ({ row, seq: 1, isRepeat: true })));\n    const [outcome, next] = await settleAll([',
      ),
    ],
    faults: [...BROKER, ...KILLS],
  },
  'events are acknowledged before they are taken in': {
    edits: [
      edit(
        SUBSCRIBE,
        '      count(await intake.take(events));',
        '      for (const { message } of batch) message.ack();\n      count(await intake.take(events));',
      ),
      edit(
        SUBSCRIBE,
        '    let delay: number | undefined;\n',
        '    let delay: number | undefined;\n    message.ack();\n',
      ),
    ],
    faults: ['database line is silent', 'database connections are half open', 'database connections are torn'],
    at: /identity/,
  },
  'no inbox': {
    edits: [
      edit(
        'shared/kit/events/consume/intake.ts',
        'return events.filter(({ id }) => unseen.delete(id.toLowerCase()));',
        'return events.filter(({ id }) => unseen.delete(id.toLowerCase()) || true);',
      ),
    ],
    faults: ['answers of COMMIT are lost'],
    at: /identity/,
  },
  'two relays lead and repeats are not dropped': {
    edits: [
      edit('shared/kit/database/lease.ts', '    where l.holder = excluded.holder or l.until < clock_timestamp()\n', ''),
      edit(
        'gateway/src/live/live.ts',
        '    if (!deduplicator.isFirst(message.id, message.seq)) return;',
        '    deduplicator.isFirst(message.id, message.seq);',
      ),
      edit(
        'shared/kit/events/relay/stream.ts',
        'header.set(PubHeaders.MsgIdHdr, event_id);',
        'header.set(PubHeaders.MsgIdHdr, `${event_id}-${Math.random()}`);',
      ),
    ],
  },
  'a charge has no reference of its own': {
    edits: [
      edit(
        'services/calls/src/wallet/wallet.ts',
        'reference: `call:${call.identifier}:step:${step}`,',
        'reference: `call:${call.identifier}:step:${step}:${Date.now()}`,',
      ),
    ],
    faults: LOSSES,
  },
  'a hold is not released': {
    edits: [
      edit(
        'services/wallet/src/holds/hold-service.ts',
        `  await save(tx, currency, [freeHold(open.hold, open.account, 'released')]);\n`,
        '',
      ),
    ],
  },
  'a withdrawal holds nothing': {
    edits: [
      edit(
        'services/wallet/src/withdrawals/withdrawal-service.ts',
        '    await placeHold(tx, currency, withdrawal, { refusal: insufficientFunds });\n',
        '',
      ),
    ],
  },
  'verdicts about tokens are never dropped': {
    edits: [
      edit(
        'gateway/src/app.ts',
        'revocations.onRevoked(auth.revoke, events.revoke, running.revoke);',
        'revocations.onRevoked(events.revoke, running.revoke);',
      ),
    ],
  },
  'a repeat is not known by its key': {
    edits: [
      edit(
        'shared/kit/http/serve/idempotency.ts',
        "return 'status' in found ? answerOf(found, key) : effect(found);",
        "return effect('status' in found ? { subject: null } : found);",
      ),
    ],
  },
  'the provider may take a payment back': {
    edits: [
      edit(
        'services/wallet/src/deposits/deposit.ts',
        `  if (deposit.status === 'success') return undefined;\n  if (outcome`,
        `  if (deposit.status === 'success') return outcome === 'success' ? undefined : outcome;\n  if (outcome`,
      ),
    ],
  },
  'a webhook is not written down in its transaction': {
    edits: [
      edit(
        'services/wallet/src/deposits/payment-service.ts',
        'await recordWebhook(tx, provider.name, event, deposit.id)',
        'await parts.database.transact((own) => recordWebhook(own, provider.name, event, deposit.id))',
      ),
    ],
    faults: ['answers of COMMIT are lost', 'database connections are torn'],
    at: /wallet/,
  },
  ...MONEY_MUTANTS,
  'commission is rounded up': {
    edits: [
      edit(
        'services/wallet/src/charges/charge-step.ts',
        'Number((BigInt(amount) * BigInt(part)) / BigInt(of));',
        'Number((BigInt(amount) * BigInt(part) + BigInt(of) - 1n) / BigInt(of));',
      ),
    ],
  },
  'a step is due before its time': {
    edits: [
      edit(
        'services/calls/src/call/call.ts',
        'Math.floor(elapsedUs / (iterator * SECOND_US)) + 1;',
        'Math.round(elapsedUs / (iterator * SECOND_US)) + 1;',
      ),
    ],
  },
  'steps are due by the clock of the application': {
    edits: [
      edit(
        'services/calls/src/call/call.ts',
        'stepsDue(call.elapsed_us ?? 0, call.iterator)',
        'stepsDue((Date.now() - Date.parse(call.accepted_at)) * 1_000, call.iterator)',
      ),
    ],
    faults: ['clock is two minutes ahead', 'clock steps'],
    at: /calls/,
  },
  'a resumed stream begins at the end': {
    edits: [
      edit(
        'gateway/src/live/live.ts',
        `isKnown ? { kind: 'resume', after: last.seq }`,
        `isKnown ? { kind: 'resume', after: bounds.last }`,
      ),
      edit(
        'gateway/src/live/live.ts',
        `return { kind: 'resume', after };`,
        `return { kind: 'resume', after: bounds.last };`,
      ),
    ],
  },
  'a broken connection is a defect': {
    edits: [
      edit(
        'shared/kit/database/refusals.ts',
        'return SQLSTATES.test(code) || SOCKET.test(code) || MESSAGES.some((pattern) => pattern.test(message));',
        'return SQLSTATES.test(code) && message !== undefined;',
      ),
    ],
    faults: ['database connections are cut', 'database connections are torn', 'answers of COMMIT are lost'],
  },
  'an upload is confirmed before it is stored': {
    edits: [edit('shared/kit/files/files.ts', 'reporting(store.put(key, path)).catch(notStored)', 'Promise.resolve()')],
  },
  'an older copy replaces a newer one': {
    edits: [
      edit('shared/kit/database/copies.ts', '\n    where excluded.version >= ${table}.version`;', '`;'),
      edit(
        'shared/kit/events/consume/subscription.ts',
        'if (!known || versionOf(data) >= versionOf(known))',
        'if (!known || versionOf(data) <= versionOf(known))',
      ),
    ],
  },
  'nobody finishes what a dead process began': {
    edits: [edit('services/calls/src/billing/bill-service.ts', 'dueIn: store.OPEN_IN,', 'everyMs: 3_600_000,')],
    faults: LOSSES,
  },
};

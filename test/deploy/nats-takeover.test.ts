import { describe, expect, test } from '@jest/globals';
import { AckPolicy } from '@nats-io/jetstream';
import { topology } from '@tutoring/shared/contract/bus';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { eventually, NATS_TIMEOUT } from '@tutoring/shared/testing/wait';
import { parse } from 'yaml';
import { valuesOf } from '../../deploy/nats/users.ts';
import { subscribeToRevocations } from '../../gateway/src/admission/revocations.ts';
import { connectUsers, PROCESSES, REFUSED } from './nats-buses.ts';
import { refusalOf } from './refusal.ts';

/* What an attacker who has taken over a process cannot do with its NATS user. */

const { buses } = connectUsers();

describe.each(PROCESSES)('a compromised %s', (name) => {
  /** All subjects that it may request. */
  const rights = () =>
    parse(valuesOf('tutoring')).config.merge.accounts[`tutoring-${name}`].imports.flatMap(
      ({ service }: { service?: { subject: string } }) =>
        service ? [service.subject.replace('>', '1.1.1.1.0').replaceAll('*', '1')] : [],
    ) as string[];
  const streams = topology.streams.map((each) => `tutoring-${each}`);
  const consumers = topology.allConsumers().map(({ stream, consumer }) => `tutoring-${stream}.tutoring-${consumer}`);
  const destructive = [
    ...['DELETE', 'PURGE', 'UPDATE', 'MSG.DELETE', 'LEADER.STEPDOWN'].flatMap((request) =>
      streams.map((stream) => `STREAM.${request}.${stream}`),
    ),
    ...['DELETE', 'PAUSE'].flatMap((request) => consumers.map((consumer) => `CONSUMER.${request}.${consumer}`)),
  ].map((request) => `$JS.API.${request}`);

  /** The state of streams and consumers that must not change, and the last sequence numbers. */
  async function state() {
    const { jsm } = buses.operator;
    const infos = await Promise.all(streams.map((stream) => jsm.streams.info(stream)));
    const lists = await Promise.all(streams.map((stream) => jsm.consumers.list(stream).next()));
    const names = lists.flat();
    return {
      kept: {
        streams: infos.map(({ created, config, state: { first_seq } }) => ({ created, config, first_seq })),
        consumers: names.map(({ stream_name, name: consumer, created, config }) => ({
          stream_name,
          consumer,
          created,
          config,
        })),
      },
      last: infos.map((info) => info.state.last_seq),
    };
  }

  test('cannot delete, purge, change or create a stream or a consumer', async () => {
    const before = await state();
    const { connection, jsm } = buses[name];
    for (const request of destructive)
      expect(await refusalOf(() => connection.request(request, undefined, NATS_TIMEOUT))).toEqual(REFUSED);
    for (const stream of streams) {
      const spy = { name: 'spy', ack_policy: AckPolicy.None };
      expect(await refusalOf(() => jsm.consumers.add(stream, spy))).toEqual(REFUSED);
      const push = { ...spy, deliver_subject: '$JS.API.STREAM.DELETE.tutoring-live', headers_only: true };
      expect(await refusalOf(() => jsm.consumers.add(stream, push))).toEqual(REFUSED);
      const durable = { durable_name: `tutoring-${name}`, ack_policy: AckPolicy.Explicit };
      expect(await refusalOf(() => jsm.consumers.add(stream, durable))).toEqual(REFUSED);
    }
    expect(await refusalOf(() => jsm.streams.add({ name: 'mine', subjects: ['mine'] }))).toEqual(REFUSED);
    expect(await state()).toEqual(before);
  });

  test('cannot make the server send a reply to a subject beyond its own permissions', async () => {
    const before = await state();
    const { connection } = buses[name];
    const revoked: string[] = [];
    const onRevoked = subscribeToRevocations(buses.gateway, createLogger('test', 'silent'));
    onRevoked(({ subject }) => void revoked.push(subject));
    await buses.gateway.connection.flush();
    const junk = ['revocations.tokens.revoked', 'hints.tokens.revoked', 'live.admins.messaging', 'events.user.changed'];
    const targets = [...destructive, ...junk.map((subject) => `tutoring.${subject}`)].filter(
      (target) => !rights().includes(target),
    );
    const now = '{"batch":1,"no_wait":true}';
    for (const right of rights().filter((subject) => subject.startsWith('$JS.')))
      for (const reply of targets)
        for (const body of right.includes('MSG.NEXT') ? [now] : ['', now, `+NXT ${now}`])
          connection.publish(right, body, { reply });
    await connection.flush();
    await eventually('all requests are answered', async () => {
      const { jsm } = buses.operator;
      const infos = await Promise.all(streams.map((stream) => jsm.consumers.list(stream).next()));
      return infos.flat().every(({ num_waiting }) => num_waiting === 0);
    });
    expect(await state()).toEqual(before);
    buses.identity.connection.publish('tutoring.hints.tokens.revoked', '{"subject":"user:2","token_ids":[]}');
    await eventually('identity is received', () => revoked.includes('user:2'));
    expect(revoked).toEqual(['user:2']);
  });

  test('cannot acknowledge messages of another process through the reply subject of a request', async () => {
    const { connection } = buses[name];
    const refused = Promise.withResolvers<string>();
    void (async () => {
      for await (const status of connection.status())
        if (status.type === 'error') refused.resolve(status.error.message);
    })();
    const other = name === 'identity' ? 'calls' : 'identity';
    const reply = `$JS.ACK.tutoring-events-wallet.tutoring-${other}.1.1.1.1.0`;
    connection.publish(rights()[0]!, '', { reply });
    expect(await refused.promise).toMatch(/Permissions Violation/);
  });
});

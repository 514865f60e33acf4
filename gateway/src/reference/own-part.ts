import self from '../../package.json' with { type: 'json' };
import type { Chapter } from '../exchange/routes.ts';
import { exact } from './refusals.ts';

/* The gateway's own part of the reference: the introduction, and the stream of live events. */

/** The chapter of live events and their payloads. */
export const LIVE: Chapter = 'Live events';

export const INFO = (publicUrl: string) => ({
  title: 'Tutoring marketplace',
  version: self.version,
  summary: 'Students find teachers, chat with them, and take video and audio lessons that are billed as they run.',
  description: `Everything that the apps of students and teachers, the administrators' dashboard and payment providers need.

**Answers come in an envelope.** A success is \`{"success": true, "statusCode": 200, "data": ...}\`. A refusal is \`{"success": false, "statusCode": 404, "message": "..."}\`, and the HTTP line of both says 200: read \`success\`. Send \`X-Envelope: strict\` to have the refusal's status on the HTTP line too. These statuses are always real: 422 (\`{"message", "errors"}\`), 429, 400, 405, 408, 413, 415, 417, 431, 500, 502, 503 and 504. The header \`X-Status-Code\` repeats what the body says.

**The caller** is identified by \`Authorization: Bearer <token>\`, with the \`token\` of a login. Without a valid one the refusal is 401, on routes for administrators 403. The wrong role is 403.

**Input** is JSON or a form. Fields of the query and of the body are one; the body wins. Texts are trimmed but for passwords, \`""\` counts as absent, \`"12"\` is a number, unknown fields are ignored.

**Money** is a whole number in the smallest unit of one currency. Times are UTC with six digits after the second.

**Repeating is safe** where \`Idempotency-Key\` is offered: choose a key for each intention and send it again with every try.

**Files** go up as \`multipart/form-data\`, field \`file\`; their links are answered raw, with the real status, and anybody with a link may read the file. \`HEAD\`, ranges and \`If-None-Match\` work there.

**Limits**, unless configured otherwise: 600 requests a minute for each person, whatever the token; 60 a minute for each address on \`api/auth/...\`, \`api/admin/auth/...\`, changes of the own profile (\`PUT\` and \`DELETE api/me\`) and new administrators. With a good bearer, logging out and the own tokens count in the 600. \`X-RateLimit-Remaining\` counts down; a 429 says in \`Retry-After\` when to go on.

**Live events** come down \`GET api/events\`; each is described under webhooks, by its name.`,
  contact: { name: 'Interactive reference', url: `${publicUrl}/api/docs` },
  license: { name: 'MIT', identifier: 'MIT' },
});

const STREAM = `id: 019a8e5c-7f00-7c3a-9d2e-1b6f0a4c5d8e
event: wallet.balance
data: {"balance":5000,"available":4800,"held":200}

`;

/** `GET api/events`, given the parts that it shares with other operations. */
export const LIVE_EVENTS = (refusals: Record<string, object>, headers: Record<string, unknown>) => ({
  operationId: 'getEvents',
  summary: 'Listen to live events',
  description:
    'For users and administrators. Server-Sent Events: `event` is the name, `data` the JSON that the webhook of that name ' +
    'describes, `id` its own, the same should it come again. Send the last `id` as `Last-Event-ID` to get what was missed, for an hour ' +
    'unless configured longer; the event `resync` means that too much was missed: fetch again. A comment comes every 20 ' +
    'seconds. At most 5 streams per user: the next one ends the oldest, which is asked to wait a minute (`retry`) before ' +
    'it comes back. A stream ends within a second of its token.',
  tags: [LIVE],
  security: [{ bearer: [] }],
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The `id` of the last event that was read.',
      schema: { type: 'string', examples: ['019a8e5c-7f00-7c3a-9d2e-1b6f0a4c5d8e'] },
    },
    {
      name: 'lastEventId',
      in: 'query',
      description: 'The same, for a client that cannot set headers; the header wins.',
      schema: { type: 'string', examples: ['019a8e5c-7f00-7c3a-9d2e-1b6f0a4c5d8e'] },
    },
  ],
  responses: {
    '200': {
      description: 'Events, until one of the two sides ends',
      headers,
      content: { 'text/event-stream': { schema: { type: 'string' }, example: STREAM } },
    },
    ...refusals,
  },
});

/** The only event that the gateway itself sends. */
export const RESYNC = {
  post: {
    operationId: 'onResync',
    summary: 'Events were lost: fetch again',
    description:
      'The `Last-Event-ID` is too old or from somewhere else. Fetch rooms, calls and the balance anew; the events after this one are complete.',
    security: [{ bearer: [] }],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: exact({ message: { const: 'Fetch again.' } }) },
      },
    },
    responses: { '200': { description: 'Nothing is answered: events come down the stream.' } },
  },
};

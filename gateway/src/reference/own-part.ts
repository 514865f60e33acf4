import self from '../../package.json' with { type: 'json' };
import type { Chapter } from '../exchange/routes.ts';
import { exact } from './refusals.ts';

/* The gateway's own part of the API reference: the introduction and the stream of live events. */

/** The chapter of live events and their payloads. */
export const LIVE: Chapter = 'Live events';

export const INFO = (publicUrl: string) => ({
  title: 'Tutoring marketplace',
  version: self.version,
  summary: 'Students find teachers, chat with them, and take video and audio lessons that are billed as they run.',
  description: `Everything that the apps of students and teachers, the administrators' dashboard and payment providers need.

**Answers come in an envelope.** A success is \`{"success": true, "statusCode": 200, "data": ...}\`. A refusal is \`{"success": false, "statusCode": 404, "message": "..."}\`, and the HTTP line of both says 200: read \`success\`. Send \`X-Envelope: strict\` to have the refusal's status on the HTTP line too; \`GET api/openapi.json?envelope=strict\` describes the interface with this header, for generators of code. These statuses are always real: 422 (\`{"message", "errors"}\`), 429, 400, 405, 408, 413, 415, 417, 431, 500, 502, 503 and 504. The header \`X-Status-Code\` repeats the status in the body.

**The caller** is identified by \`Authorization: Bearer <token>\`, with the \`token\` of a login. Without a valid token the refusal is 401, on routes for administrators 403. The wrong role is 403.

**Input** is JSON or a form. Fields of the query and the body are combined; the body wins. Texts other than passwords are trimmed, \`""\` counts as absent, \`"12"\` is a number, unknown fields are ignored.

**Money** is a whole number in the smallest unit of one currency. Times are UTC with six digits after the second.

**Retries are safe** where \`Idempotency-Key\` is offered: choose a new key for each operation and send the same key with every retry.

**Files** are uploaded as \`multipart/form-data\`, field \`file\`; their links are answered without an envelope and with the real status, and anyone with a link can read the file. \`HEAD\`, ranges and \`If-None-Match\` work there.

**Limits**, unless configured otherwise: 600 requests per minute and person, whatever the token; 60 per minute and address on \`api/auth/...\`, \`api/admin/auth/...\`, changes of one's own profile (\`PUT\` and \`DELETE api/me\`) and new administrators. With a valid bearer, logging out and managing one's own tokens count towards the 600. \`X-RateLimit-Remaining\` counts down; \`Retry-After\` of a 429 says when to continue.

**Live events** are sent by \`GET api/events\`; each is described under webhooks, by its name.`,
  contact: { name: 'Interactive reference', url: `${publicUrl}/api/docs` },
  license: { name: 'MIT', identifier: 'MIT' },
});

const STREAM = `id: 019a8e5c-7f00-7c3a-9d2e-1b6f0a4c5d8e
event: wallet.balance
data: {"balance":5000,"available":4800,"held":200}

`;

/** `GET api/events`, made from the refusals and headers that it shares with other operations. */
export const LIVE_EVENTS = (refusals: Record<string, object>, headers: Record<string, unknown>) => ({
  operationId: 'getEvents',
  summary: 'Listen to live events',
  description:
    'For users and administrators. Server-Sent Events: `event` is the name, `data` the JSON that the webhook of that name ' +
    'describes, `id` identifies the event, also if it is repeated. Send the last `id` as `Last-Event-ID` to get the events missed ' +
    'within the last hour (or longer, if configured); the event `resync` means that older events were missed: fetch the ' +
    'state again. A comment is sent every 20 seconds. At most 5 streams per user: a sixth ends the oldest, whose client ' +
    'is asked to wait a minute (`retry`) before it reconnects. A stream ends within a second after its token.',
  tags: [LIVE],
  security: [{ bearer: [] }],
  parameters: [
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The `id` of the last event that was received.',
      schema: { type: 'string', examples: ['019a8e5c-7f00-7c3a-9d2e-1b6f0a4c5d8e'] },
    },
    {
      name: 'lastEventId',
      in: 'query',
      description: 'The same, for clients that cannot set headers; the header wins.',
      schema: { type: 'string', examples: ['019a8e5c-7f00-7c3a-9d2e-1b6f0a4c5d8e'] },
    },
  ],
  responses: {
    '200': {
      description: 'Events, until the client or the server ends the stream',
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
      'The `Last-Event-ID` is too old or unknown. Fetch rooms, calls and the balance again; the events after this one are complete.',
    security: [{ bearer: [] }],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: exact({ message: { const: 'Fetch again.' } }) },
      },
    },
    responses: { '200': { description: 'No answer: the event is sent on the stream.' } },
  },
};

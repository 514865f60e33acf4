import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { answers } from './stand-in.ts';
import { startSystem, type System } from './system.ts';

/* The names of schemas from several services, and the document for `X-Envelope: strict`. */

type Json = Record<string, unknown>;

let system: System;
beforeAll(async () => {
  system = await startSystem({ timings: { referenceAge: 0 } });
});
afterAll(() => system.stop());

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: Json) => ({ type: 'object', properties, required: Object.keys(properties) });
const answer = (schema: unknown) => ({ description: 'Success', content: { 'application/json': { schema } } });
const refused = { description: 'refused', content: { 'application/json': { schema: ref('Problem') } } };

function respond(service: 'wallet' | 'calls', paths: Json, schemas: Json = {}) {
  system[service].respondWith(answers(200, { openapi: '3.1.0', info: {}, paths, components: { schemas } }));
}

const document = async (query = '') => (await system.api('GET', `/api/openapi.json${query}`)).body;
const schemaOf = (operation: { responses: Json }, status: string) =>
  (operation.responses[status] as { content: Record<string, { schema: unknown }> }).content['application/json']!.schema;

test('one name for different schemas, in two services and with the name of a service, is several schemas', async () => {
  const itemOf = (property: string) => object({ [property]: { type: 'integer' } });
  const get = (name: string) => ({ get: { operationId: name, responses: { '200': answer(ref(name)) } } });
  respond('wallet', { '/api/wallet': get('Item') }, { Item: itemOf('amount'), WalletItem: itemOf('balance') });
  respond(
    'calls',
    { '/api/calls': get('Item'), '/api/services': get('ItemOutput') },
    {
      Item: itemOf('steps'),
      ItemOutput: itemOf('output'),
    },
  );
  const { paths, components } = await document();
  const dataOf = (path: string) => {
    const { $ref } = paths[path].get.responses['200'].content['application/json'].schema.properties.data;
    return Object.keys(components.schemas[$ref.split('/').at(-1)].properties);
  };
  expect(['/api/wallet', '/api/calls', '/api/services'].map(dataOf)).toEqual([['amount'], ['steps'], ['output']]);
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['WalletItem', 'WalletWalletItem', 'CallsItem', 'CallsItemOutput']),
  );
});

const status = { type: 'string', enum: ['open', 'done'] };

test('with `envelope=strict`, every answer has one named schema under its own status', async () => {
  const post = {
    operationId: 'postCallInit',
    'x-auth': 'member',
    parameters: [{ in: 'query', name: 'sort', schema: { type: 'string', enum: ['newest', 'oldest'] } }],
    requestBody: { content: { 'application/json': { schema: object({ status }) } } },
    responses: {
      '200': answer(object({ status, note: { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] } })),
      '401': { ...refused, description: 'unauthenticated' },
      '402': { ...refused, description: 'payment_required' },
      '403': { ...refused, description: 'forbidden' },
    },
  };
  respond('calls', { '/api/call/init': { post } }, { Problem: object({}) });
  const { paths, components } = await document('?envelope=strict');
  const operation = paths['/api/call/init'].post;
  expect(Object.keys(operation.responses)).toEqual(['200', '401', '402', '403', '429', 'default']);
  const statuses = ['200', '401', '402', '403'];
  expect(statuses.map((code) => schemaOf(operation, code))).toEqual(
    ['PostCallInitAnswer', 'Unauthenticated', 'PaymentRequired', 'Forbidden'].map(ref),
  );
  const { schemas, parameters } = components;
  expect(schemas.PostCallInitAnswer).toEqual(
    object({
      success: { type: 'boolean', const: true },
      statusCode: { type: 'integer', const: 200 },
      data: ref('PostCallInitAnswerData'),
    }),
  );
  expect(schemas.PostCallInitAnswerData.properties).toEqual({
    status: ref('PostCallInitAnswerDataStatus'),
    note: { type: ['string', 'null'], maxLength: 9 },
  });
  expect(schemas.PostCallInitAnswerDataStatus).toEqual(status);
  expect(operation.requestBody.content['application/json'].schema).toEqual(ref('PostCallInitBody'));
  expect(schemas.PostCallInitBody.properties).toEqual({ status: ref('PostCallInitBodyStatus') });
  expect(operation.parameters[0].schema).toEqual(ref('PostCallInitSort'));
  expect(schemas.Forbidden.properties.message).toEqual({ type: 'string', examples: ['Unauthorized access'] });
  expect(parameters.XEnvelope).toMatchObject({ in: 'header', name: 'X-Envelope', required: true });
});

test('with `envelope=strict`, unions without a discriminator are one schema', async () => {
  const either = { anyOf: [object({ id: { type: 'integer' }, open: status }), object({ id: { type: 'integer' } })] };
  const text = {
    anyOf: [
      { type: 'string', const: 'me' },
      { type: 'integer', minimum: 1 },
    ],
  };
  const fields = {
    either,
    text,
    none: { type: 'array', items: { not: {} } },
    item: { anyOf: [ref('Item'), { type: 'null' }] },
  };
  const get = { operationId: 'getWallet', responses: { '201': answer(object(fields)) } };
  respond('wallet', { '/api/wallet': { get } }, { Item: object({ id: { type: 'integer' } }) });
  const { paths, components } = await document('?envelope=strict');
  expect(Object.keys(paths['/api/wallet'].get.responses)).toEqual(['201', '429', 'default']);
  const { schemas } = components;
  expect(schemas.GetWalletAnswerData.properties).toEqual({
    either: ref('GetWalletAnswerDataEither'),
    text: { type: 'string' },
    none: { type: 'array', items: { type: 'string' }, maxItems: 0 },
    item: { anyOf: [ref('WalletItem'), { type: 'null' }] },
  });
  expect(schemas.GetWalletAnswerDataEither).toMatchObject({
    properties: { id: { type: 'integer' }, open: ref('GetWalletAnswerDataEitherOpen') },
    required: ['id'],
  });
});

test('`envelope` is absent, empty or `strict`; anything else is a 422 in the language of the client', async () => {
  const standard = await document();
  expect(await document('?envelope=')).toEqual(standard);
  expect(await document('?other=strict')).toEqual(standard);
  expect(standard.components.parameters.XEnvelope.required).toBeUndefined();
  for (const query of ['?envelope=loose', '?envelope=Strict', '?envelope=strict&envelope=strict', '?envelope=%00']) {
    const invalid = await system.api('GET', `/api/openapi.json${query}`);
    const message = 'The selected envelope is invalid.';
    expect([query, invalid.status, invalid.body]).toEqual([query, 422, { message, errors: { envelope: [message] } }]);
  }
  const french = await system.api('GET', '/api/openapi.json?envelope=x', { headers: { 'accept-language': 'fr' } });
  expect(french.body.message).toBe('Le champ envelope sélectionné est invalide.');
  expect((await system.api('POST', '/api/openapi.json?envelope=x')).status).toBe(405);
});

import { refusal } from '../exchange/respond.ts';
import { texts } from '../texts.ts';
import type { Route } from '../exchange/routes.ts';

type Json = Record<string, unknown>;

/** Names of the schemas by the status in the body, and example messages; the services' messages vary. */
const SHAPES: Record<number, { name: string; sentence?: string }> = {
  400: { name: 'Malformed', sentence: 'The signature is not valid.' },
  401: { name: 'Unauthenticated' },
  402: { name: 'PaymentRequired', sentence: 'Not enough money.' },
  403: { name: 'Forbidden' },
  404: { name: 'NotFound', sentence: 'The record could not be found.' },
  409: { name: 'Conflict', sentence: 'This is not possible now.' },
  416: { name: 'RangeNotSatisfiable', sentence: 'The range is not inside the file.' },
  500: { name: 'NotBilled' },
};

export const object = (properties: Json) => ({ type: 'object', properties, required: Object.keys(properties) });
/** An object schema without additional properties. */
export const exact = (properties: Json) => ({ ...object(properties), additionalProperties: false });

const UNAUTHORIZED = Object.values(texts).map(({ unauthorized }) => unauthorized);

/** The schema of exactly this value; of a text of the gateway, in any language. */
export function literal(value: unknown): Json {
  const [key] = Object.entries(texts.en).find(([, text]) => text === value) ?? [];
  return key === undefined
    ? { const: value }
    : { enum: Object.values(texts).map((each) => each[key as keyof typeof each]) };
}

/** The schema of exactly this value, except that `sentence` stands for any text. */
function schemaOf(value: unknown, sentence: string): unknown {
  if (typeof value === 'object' && value !== null) {
    const properties = Object.entries(value).map(([key, item]): [string, unknown] => [key, schemaOf(item, sentence)]);
    return exact(Object.fromEntries(properties));
  }
  return value === sentence ? { type: 'string', examples: [sentence] } : literal(value);
}

/** The only 403 whose message reaches the client. */
export const secondFactor = {
  name: 'SecondFactor',
  schema: {
    ...exact({
      success: { const: false },
      message: { type: 'string', examples: [texts.en.setUpTotp] },
      statusCode: { const: 403 },
    }),
    not: { properties: { message: { enum: UNAUTHORIZED } } },
  },
  bodyStatus: 403,
  httpStatus: 200,
};

/** The named schema of a service's refusal as a client of `path` receives it: made from the gateway's actual answer. */
export function refusalSchema(path: string, route: Route, status: number, code: string) {
  if (code === 'second_factor') return secondFactor;
  const message = SHAPES[status]?.sentence ?? 'The refusal in a sentence.';
  const answer = refusal({ path, route, strict: false, language: 'en' }, status, { code: 'refused', message });
  const { success, message: shown } = answer.body as { success?: boolean; message?: unknown };
  const shape = success === undefined ? 'Enveloped' : typeof shown === 'object' ? 'Nested' : '';
  return {
    name: `${shape}${SHAPES[answer.status]?.name ?? 'Refusal'}`,
    schema: schemaOf(answer.body, message),
    /** The status in the body, and the one on the HTTP line unless the client is strict. */
    bodyStatus: answer.status,
    httpStatus: answer.httpStatus,
  };
}

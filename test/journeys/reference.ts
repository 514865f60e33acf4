import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TestResponse } from '@tutoring/shared/testing/client';

interface Operation {
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: unknown }> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, unknown>;
  components: { responses: Operation['responses'] };
}

const pattern = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);

/** Checks real responses against the published OpenAPI document. */
export function createReferenceCheck(document: OpenApi) {
  const ajv = new Ajv2020({ strict: false, allErrors: false, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addFormat('time-zone', true);
  ajv.addSchema({ ...document, $id: 'openapi' });
  const templates = Object.keys(document.paths).map((template) => ({ template, matches: pattern(template) }));
  const compiled = new Map<string, ValidateFunction>();

  function validator(pointer: string): ValidateFunction {
    const cached = compiled.get(pointer);
    if (cached) return cached;
    const validate = ajv.compile({ $ref: `openapi#${pointer}` });
    compiled.set(pointer, validate);
    return validate;
  }

  const escape = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

  /** The JSON pointer to this response's schema in the document. */
  function pointerOf(template: string, method: string, status: number): string | undefined {
    const responses = document.paths[template]?.[method]?.responses ?? {};
    const code = responses[String(status)] ? String(status) : 'default';
    const shared = responses[code]?.$ref?.slice('#'.length);
    const base = shared ?? `/paths/${escape(template)}/${method}/responses/${code}`;
    const content = shared
      ? document.components.responses[shared.split('/').at(-1)!]?.content
      : responses[code]?.content;
    return content?.['application/json'] ? `${base}/content/application~1json/schema` : undefined;
  }

  return {
    /** Throws when the live event is not documented or the payload does not match the document. */
    checkEvent(name: string, payload: unknown): void {
      if (!document.webhooks[name]) throw new Error(`${name} is not in the reference`);
      const validate = validator(`/webhooks/${escape(name)}/post/requestBody/content/application~1json/schema`);
      if (!validate(payload))
        throw new Error(`${name} does not match the reference: ${ajv.errorsText(validate.errors)}`);
    },

    /** Throws when the path is not documented or the response does not match the document. */
    check(method: string, path: string, answer: TestResponse): void {
      const asked = `/${path.split('?')[0]}`;
      const exact = templates.find(({ template }) => template === asked);
      const found = exact ?? templates.find(({ matches }) => matches.test(asked));
      const operation = found && document.paths[found.template]?.[method.toLowerCase()];
      if (!operation) throw new Error(`${method} ${asked} is not in the reference`);
      const pointer = pointerOf(found.template, method.toLowerCase(), answer.status);
      if (!pointer) throw new Error(`${method} ${asked}: the reference has no JSON response with ${answer.status}`);
      const validate = validator(pointer);
      if (!validate(answer.body)) {
        throw new Error(
          `${method} ${asked} does not match the reference: ${ajv.errorsText(validate.errors)}\n${answer.text.slice(0, 2_000)}`,
        );
      }
    },
  };
}

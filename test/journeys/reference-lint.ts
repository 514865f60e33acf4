import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

/** The findings of `redocly lint` with its recommended rules, warnings included. */
export async function redocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
}

/** The findings of Spectral with `spectral:oas`, warnings included. */
export async function spectral(source: string): Promise<string[]> {
  const linter = new Spectral();
  linter.setRuleset({ extends: [oas as never] });
  return (await linter.run(source)).map(({ code, message, path }) => `${code}: ${message} (${path.join('.')})`);
}

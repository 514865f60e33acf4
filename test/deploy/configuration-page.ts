import { format } from 'prettier';
import { z } from 'zod';
import { NAMES, PROCESSES, type ProcessName } from './processes.ts';

interface Variable {
  processes: ProcessName[];
  fallback: string;
  meaning: string;
}

/** The variables of a process, from its schema. */
function variablesOf(name: ProcessName): [string, Omit<Variable, 'processes'>][] {
  const schema = z.toJSONSchema(PROCESSES[name], { io: 'input', unrepresentable: 'any' }) as {
    properties: Record<string, { description?: string; default?: string | number | boolean }>;
    required?: string[];
  };
  return Object.entries(schema.properties).map(([variable, { description, default: standard }]) => {
    if (!description) throw new Error(`${name}: ${variable} has no .describe() in its config.ts`);
    const isRequired = schema.required?.includes(variable) ?? false;
    // A variable parsed from text (`true`) has its default only in the parsed value.
    const { data } = (PROCESSES[name].shape as Record<string, z.ZodType>)[variable]!.safeParse(undefined);
    const shown = standard ?? (typeof data === 'boolean' ? data : '');
    const fallback = shown === '' ? '' : `\`${String(shown)}\``;
    return [variable, { fallback: isRequired ? 'required' : fallback, meaning: description }];
  });
}

/** All variables without duplicates. Throws when two processes describe a variable differently. */
function allVariables(): Map<string, Variable> {
  const all = new Map<string, Variable>();
  for (const name of NAMES)
    for (const [variable, { fallback, meaning }] of variablesOf(name)) {
      const described = all.get(variable);
      if (described && (described.meaning !== meaning || described.fallback !== fallback))
        throw new Error(`${variable} is described in two ways: ${described.processes.join(', ')} and ${name}`);
      all.set(variable, { processes: [...(described?.processes ?? []), name], fallback, meaning });
    }
  return all;
}

const INTRODUCTION = `# Configuration

Every variable of every process in production. \`npm run docs\` generates this page from the schemas in each \`config.ts\`: do not edit it. A process reads its environment once, when it starts. If a variable is missing or invalid, the process stops and its log lists every problem. An empty variable counts as missing.

Secrets are set as \`deploy/kubernetes/secrets.example.yaml\` lists them, all other variables in the values file of the chart (\`deploy/helm\`). The settings of \`npm start\` are in \`deploy/local/README.md\`. Every process also reads \`OTEL_EXPORTER_OTLP_ENDPOINT\` and the other \`OTEL_*\` variables (without them no traces are sent), and Node's own, such as \`NODE_EXTRA_CA_CERTS\`.
`;

/** The text of docs/configuration.md, formatted. */
export async function configurationPage(): Promise<string> {
  const variables = [...allVariables()];
  const section = (title: string, belongs: (processes: ProcessName[]) => boolean) => {
    const rows = variables.filter(([, { processes }]) => belongs(processes));
    const lines = rows.map(
      ([name, { processes, fallback, meaning }]) =>
        `| \`${name}\` | ${processes.join(', ')} | ${fallback} | ${meaning.replaceAll('|', '\\|')} |`,
    );
    return [`## ${title}`, '', '| Variable | Processes | Default | Meaning |', '| --- | --- | --- | --- |', ...lines];
  };
  const sections = [
    section('All processes', (processes) => processes.length === NAMES.length),
    section('Several processes', (processes) => processes.length > 1 && processes.length < NAMES.length),
    ...NAMES.map((name) => section(`Only ${name}`, (processes) => processes.join() === name)),
  ];
  const text = [INTRODUCTION, ...sections.map((lines) => lines.join('\n'))].join('\n\n');
  return format(text, { parser: 'markdown', singleQuote: true, printWidth: 120 });
}

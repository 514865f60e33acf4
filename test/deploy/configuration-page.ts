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

Every variable of every process, for production: made from the schemas in each \`config.ts\` by \`npm run docs\`; do not edit. A process reads its environment alone, once, at start; a missing or wrong variable stops it, and its log names every problem. An empty variable counts as absent.

Where they stand: what is no secret in the overlay's \`kustomization.yaml\`, secrets as \`deploy/kubernetes/secrets.example.yaml\` lists them. \`npm start\` has its own, in the README. Beside these: \`OTEL_EXPORTER_OTLP_ENDPOINT\` and the other \`OTEL_*\` variables (traces; off without), and Node's own, such as \`NODE_EXTRA_CA_CERTS\`.
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
    section('Of every process', (processes) => processes.length === NAMES.length),
    section('Of several', (processes) => processes.length > 1 && processes.length < NAMES.length),
    ...NAMES.map((name) => section(`Of ${name} alone`, (processes) => processes.join() === name)),
  ];
  const text = [INTRODUCTION, ...sections.map((lines) => lines.join('\n'))].join('\n\n');
  return format(text, { parser: 'markdown', singleQuote: true, printWidth: 120 });
}

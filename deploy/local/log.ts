type Fields = Record<string, unknown>;

const RANK: Record<string, number> = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 };
const COLOUR: Record<string, string> = { WARN: '\u001B[33m', ERROR: '\u001B[31m', FATAL: '\u001B[31m' };
const RESET = '\u001B[0m';
const NOT_SHOWN = new Set(['level', 'time', 'msg', 'service', 'pid', 'hostname', 'v', 'err']);

export type LogOptions = { level: string; colour: boolean };

function clock(time: unknown): string {
  const date = typeof time === 'string' || typeof time === 'number' ? new Date(time) : new Date();
  return (Number.isNaN(date.getTime()) ? new Date() : date).toTimeString().slice(0, 8);
}

function levelName(level: unknown): string {
  if (typeof level === 'string') return level;
  return Object.keys(RANK).find((name) => RANK[name] === level) ?? 'info';
}

function line(time: unknown, source: string, level: string, text: string, colour: boolean): string {
  const label = level.toUpperCase();
  const paint = colour ? COLOUR[label] : undefined;
  const painted = paint ? `${paint}${label.padEnd(5)}${RESET}` : label.padEnd(5);
  return `${clock(time)} ${source.padEnd(9)} ${painted} ${text}`;
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return /[\s"=]/.test(value) || value === '' ? JSON.stringify(value) : value;
  return JSON.stringify(value) ?? 'undefined';
}

function fieldsText(fields: Fields): string {
  return Object.entries(fields)
    .filter(([name]) => !NOT_SHOWN.has(name))
    .map(([name, value]) => ` ${name}=${valueText(value)}`)
    .join('');
}

/** Shows an error with its stack, a warning only with its message. */
function errorText(error: unknown, level: string): string {
  if (typeof error !== 'object' || error === null) return error === undefined ? '' : ` err=${valueText(error)}`;
  const { message, stack } = error as { message?: string; stack?: string };
  return (RANK[level] ?? 0) >= 50 && stack ? `\n    ${stack.replaceAll('\n', '\n    ')}` : ` err=${valueText(message)}`;
}

/** True for a line about a request, which only LOG_LEVEL=debug shows. */
function isRequestLine(fields: Fields): boolean {
  return 'responseTime' in fields || ('req' in fields && 'res' in fields);
}

function parse(raw: string): Fields | undefined {
  if (!raw.startsWith('{')) return undefined;
  try {
    return JSON.parse(raw) as Fields;
  } catch {
    return undefined;
  }
}

/** Formats a line that a process printed; undefined when it is not shown at this level. */
export function render(source: string, raw: string, { level, colour }: LogOptions): string | undefined {
  const fields = parse(raw);
  if (!fields) return raw.trim() === '' ? undefined : line(undefined, source, 'info', raw, colour);
  const name = levelName(fields['level']);
  const rank = RANK[name] ?? 30;
  const lowest = RANK[level] ?? (level === 'silent' ? Infinity : 30);
  if (rank < lowest || (rank === 30 && lowest === 30 && isRequestLine(fields))) return undefined;
  const text = `${typeof fields['msg'] === 'string' ? fields['msg'] : ''}${fieldsText(fields)}${errorText(fields['err'], name)}`;
  return line(fields['time'], source, name, text, colour);
}

/** Prints a message of the launcher itself. */
export function say(text: string, level = 'info'): void {
  console.log(line(undefined, 'local', level, text, wantsColour()));
}

export function wantsColour(): boolean {
  return process.stdout.isTTY && process.stdout.hasColors();
}

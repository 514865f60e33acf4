import type { Outcome } from '../run.ts';
import { ambiguousOf, recoveriesOf } from './figures.ts';
import { pictureOf } from './picture.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function table(head: string[], rows: (string | number | undefined)[][]): string {
  const line = (tag: string, cells: (string | number | undefined)[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(String(cell ?? ''))}</${tag}>`).join('')}</tr>`;
  return `<table>${line('th', head)}${rows.map((row) => line('td', row)).join('')}</table>`;
}

const round = (value: number | undefined) => (value === undefined ? '' : Math.round(value));
const rowsOf = (map: Map<string, number>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

const STYLE =
  'body{font:14px sans-serif;max-width:1250px;margin:2em auto;padding:0 1em;color:#1a202c}table{border-collapse:collapse}' +
  'td,th{border:1px solid #cbd5e0;padding:2px 8px;text-align:left;vertical-align:top}td{font-variant-numeric:tabular-nums}' +
  '.red{color:#c53030}pre{white-space:pre-wrap}';

/** The report of a run as a self-contained HTML page. */
export function reportOf(outcome: Outcome): string {
  const { record, schedule, faults, skipped, restMs, events, confirmed } = outcome;
  const broken = record.broken();
  const verdict =
    broken === 0 ? 'Nothing acknowledged was lost or doubled.' : `<span class="red">${broken} violations</span>`;
  return [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Chaos, seed ${escaped(schedule.seed)}</title>`,
    `<style>${STYLE}</style><h1>Under faults: seed ${escaped(schedule.seed)}, ${schedule.minutes.toFixed(1)} minutes</h1>`,
    `<p>${verdict} ${faults.length} faults, ${record.total()} requests, ${ambiguousOf(outcome)} of them without an answer, ${events} events; `,
    `at rest ${restMs ?? '?'} ms after the last answer.</p>`,
    pictureOf(outcome),
    broken > 0
      ? `<h2 class="red">Violations</h2>${table(
          ['s', 'what', 'detail'],
          record.violations.map(({ at, what, detail }) => [(at / 1000).toFixed(1), what, detail]),
        )}`
      : '',
    '<h2>Recovery</h2><p>Milliseconds from the end of a fault until every service answered again; faults that overlap with another are not measured.</p>',
    table(
      ['fault', 'times', 'p50 ms', 'most ms'],
      recoveriesOf(faults).map(({ fault, count, p50Ms, maxMs }) => [fault, count, round(p50Ms), round(maxMs)]),
    ),
    '<h2>Confirmed</h2>',
    table(Object.keys(confirmed), [Object.values(confirmed)]),
    '<h2>Answers</h2>',
    table(['answer', 'times'], rowsOf(record.answers)),
    '<h2>Sometimes</h2><p>Rare paths, and how often they were taken.</p>',
    table(['path', 'times'], rowsOf(record.sometimes)),
    '<h2>Errors in the logs</h2>',
    table(['line', 'times'], rowsOf(record.logged)),
    skipped.size > 0 ? `<h2>Skipped on this machine</h2>${table(['fault', 'why'], [...skipped])}` : '',
    `<h2>Schedule</h2><pre>${escaped(JSON.stringify(schedule))}</pre></html>\n`,
  ].join('\n');
}

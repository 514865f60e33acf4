import { readFileSync } from 'node:fs';
import { percentile, recoveriesOf, type Figures } from './figures.ts';

/* node test/chaos/report/sum.ts FILE...: sums up the figures.json files of several runs, as Markdown tables. */

const runs = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')) as Figures);

const sum = (of: (run: Figures) => number) => runs.reduce((total, run) => total + of(run), 0);
const number = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 1 });
const seconds = (ms: number | undefined) => (ms === undefined ? '' : (ms / 1_000).toFixed(1));
const table = (head: string[], rows: (string | number)[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const faults = runs.flatMap((run) => run.faults);
const rests = runs.flatMap(({ restMs }) => restMs ?? []);
const paths = [...new Set(runs.flatMap(({ sometimes }) => Object.keys(sometimes)))].sort();

process.stdout.write(
  `${[
    table(
      ['Runs', 'Minutes', 'Faults', 'Requests', 'Without an answer', 'Events', 'Violations', 'Longest way to rest, s'],
      [
        [
          runs.length,
          number(sum(({ minutes }) => minutes)),
          faults.length,
          number(sum(({ requests }) => requests)),
          number(sum(({ ambiguous }) => ambiguous)),
          number(sum(({ events }) => events)),
          sum(({ violations }) => violations),
          seconds(percentile(rests, 100)),
        ],
      ],
    ),
    table(
      ['Fault', 'Times', 'Recovery p50, s', 'Most, s'],
      recoveriesOf(faults)
        .toSorted((one, other) => (one.fault < other.fault ? -1 : 1))
        .map(({ fault, count, p50Ms, maxMs }) => [fault, count, seconds(p50Ms), seconds(maxMs)]),
    ),
    table(
      ['Rare path', 'Times'],
      paths.map((path) => [path, number(sum(({ sometimes }) => sometimes[path] ?? 0))]),
    ),
    `Seeds: ${runs.map(({ seed }) => seed).join(', ')}.`,
  ].join('\n\n')}\n`,
);

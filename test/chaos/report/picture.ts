import type { Outcome } from '../run.ts';
import { percentile } from './figures.ts';

const WIDTH = 1000;
const LEFT = 70;
const PANEL = 90;
const GAP = 26;
const ROW = 13;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

interface Series {
  title: string;
  colour: string;
  values: number[];
}

/** A line chart over time, with the maximum on the left. */
function panel({ title, colour, values }: Series, top: number, scale: (second: number) => number): string {
  const most = Math.max(1, ...values);
  const y = (value: number) => top + PANEL - (value / most) * PANEL;
  const points = values.map((value, second) => `${scale(second).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  return [
    `<text x="${LEFT}" y="${top - 6}" class="title">${escaped(title)}</text>`,
    `<text x="${LEFT - 6}" y="${top + 10}" class="number">${Math.round(most)}</text>`,
    `<text x="${LEFT - 6}" y="${top + PANEL}" class="number">0</text>`,
    `<line x1="${LEFT}" y1="${top + PANEL}" x2="${WIDTH}" y2="${top + PANEL}" class="axis"/>`,
    `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="1.2"/>`,
  ].join('');
}

/** The timeline of a run as SVG: faults, throughput, p99 and failed attempts. */
export function pictureOf({ record, faults, schedule }: Outcome): string {
  const seconds = record.seconds.slice(0, Math.ceil(schedule.minutes * 60) + 15);
  const scale = (second: number) => LEFT + (second / Math.max(1, seconds.length)) * (WIDTH - LEFT);
  const kinds = [...new Set(faults.map(({ fault }) => fault))].sort();
  const bands = faults.map(({ fault, target, beganMs, endedMs }) => {
    const [x, y] = [scale(beganMs / 1000), 30 + kinds.indexOf(fault) * ROW];
    const width = Math.max(2, scale(endedMs / 1000) - x);
    const title = `<title>${escaped(`${fault}: ${target}, ${Math.round(endedMs - beganMs)} ms`)}</title>`;
    return `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 3}" class="fault">${title}</rect>`;
  });
  const names = kinds.map(
    (kind, row) => `<text x="${WIDTH + 8}" y="${39 + row * ROW}" class="kind">${escaped(kind)}</text>`,
  );
  const firstPanel = 30 + kinds.length * ROW + GAP + 6;
  const panels = (
    [
      ['answers per second', '#2b6cb0', seconds.map(({ requests, failures }) => requests - failures)],
      ['p99 of answers, ms', '#6b46c1', seconds.map(({ durations }) => percentile(durations, 99) ?? 0)],
      ['attempts without an answer per second (apps repeat them)', '#c53030', seconds.map(({ failures }) => failures)],
    ] as const
  ).map(([title, colour, values], index) =>
    panel({ title, colour, values: [...values] }, firstPanel + index * (PANEL + GAP), scale),
  );
  const height = firstPanel + 3 * (PANEL + GAP) + 8;
  const ticks = seconds
    .map((_, second) => second)
    .filter((second) => second % 60 === 0)
    .map((second) => `<text x="${scale(second).toFixed(1)}" y="${height - 4}" class="tick">${second / 60} min</text>`);
  const style =
    'text{font:11px sans-serif;fill:#2d3748}.number{text-anchor:end}.axis{stroke:#cbd5e0}.fault{fill:#dd6b20;opacity:.85}' +
    '.kind{font-size:10px}.title{font-weight:bold}';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH + 230} ${height}" role="img">` +
    `<style>${style}</style><rect width="100%" height="100%" fill="#fff"/>` +
    `<text x="${LEFT}" y="18" class="title">faults</text>${bands.join('')}${names.join('')}${panels.join('')}${ticks.join('')}</svg>\n`
  );
}

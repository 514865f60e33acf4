type Style = Record<string, string | number>;

/** A column at the right end of a card's line. */
const AT_END: Style = { justifySelf: 'end', textAlign: 'right' };

/**
 * The styles of a table whose rows are cards on a phone. Each of `lines` names one column, or one for each end of the
 * line. `names` are labels shown before the values of some columns.
 */
export function cards(lines: string[], names: Record<string, string>) {
  const areas = lines.map((line) => line.split(' '));
  const cells = areas.flatMap(([start = '', end]): [string, Style][] => [
    [start, { gridArea: start, display: 'block' }],
    ...(end === undefined ? [] : [[end, { gridArea: end, display: 'block', ...AT_END }] satisfies [string, Style]]),
  ]);
  const labels = Object.entries(names).map(([column, name]): [string, Style] => [
    `& td.column-${column}:not(:empty)::before`,
    { content: JSON.stringify(`${name} `), color: 'text.secondary' },
  ]);
  const style: Record<string, Style> = {
    '& table, & tbody': { display: 'block' },
    '& thead': { display: 'none' },
    '& tbody tr': {
      display: 'grid',
      position: 'relative',
      gridTemplateAreas: areas.map(([start, end]) => `"${start} ${end ?? start}"`).join(' '),
      gridTemplateColumns: 'minmax(0, 1fr) auto',
      alignItems: 'center',
      gap: '4px 12px',
      padding: '12px 16px',
      borderBottom: '1px solid',
      borderColor: 'divider',
    },
    '& tbody td': { display: 'none', border: 0, padding: 0, textAlign: 'left', overflowWrap: 'break-word' },
    ...Object.fromEntries(cells.map(([column, cell]) => [`& tbody td.column-${column}`, cell])),
    ...Object.fromEntries(labels),
    // The checkbox is to the left of the lines.
    '& tbody tr:has(> td.column-selected)': { paddingLeft: '48px' },
    '& tbody td.column-selected': {
      display: 'block',
      position: 'absolute',
      left: 4,
      top: 6,
      width: 'auto',
    },
  };
  return { '@media (max-width: 899.95px)': style };
}

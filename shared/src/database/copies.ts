/**
 * SQL that stores another service's row: the parameters are `columns`, in this order. A newer version that is stored
 * stays: then no row is inserted or updated, and `returning`, where it follows, returns none.
 */
export function saveNewer<Column extends string>(
  table: string,
  key: readonly NoInfer<Column>[],
  columns: readonly (Column | 'version')[],
): string {
  return `
    insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})
    on conflict (${key.join(', ')}) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
    where excluded.version >= ${table}.version`;
}

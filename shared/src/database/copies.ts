const upsert = (table: string, key: readonly string[], columns: readonly string[], source: string) => `
    insert into ${table} (${columns.join(', ')}) ${source}
    on conflict (${key.join(', ')}) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
    where excluded.version >= ${table}.version`;

/**
 * SQL that stores another service's row: the parameters are `columns`, in this order. A newer version that is stored
 * stays: then no row is inserted or updated, and `returning`, where it follows, returns none.
 */
export const saveNewer = <Column extends string>(
  table: string,
  key: readonly NoInfer<Column>[],
  columns: readonly (Column | 'version')[],
): string => upsert(table, key, columns, `values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`);

/** The same for a set of rows with different keys: the one parameter is their JSON, objects with these columns. */
export const saveNewerSet = <Column extends string>(
  table: string,
  key: readonly NoInfer<Column>[],
  columns: readonly (Column | 'version')[],
): string =>
  upsert(table, key, columns, `select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, $1::jsonb)`);

/** The values of these columns, each as an array for `unnest`. */
export const columns = <Row>(table: Row[], ...names: (keyof Row)[]) =>
  names.map((name) => table.map((one) => one[name]));

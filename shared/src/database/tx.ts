/**
 * A statement that each session parses and plans once, under `name`. The text must be the same at every use of the
 * name.
 */
export interface Prepared {
  name: string;
  sql: string;
}

/** A statement for pg. */
export interface Statement {
  text: string;
  values: unknown[];
  /** Under which a session keeps its plan. */
  name?: string;
}

/** What a read takes: any connection of the pool, or a transaction. `rows`, `row` and `prepared` ask it. */
export interface Reader {
  /** In a transaction it is sent before this returns, so that statements run in the order of the calls. */
  send(statement: Statement): Promise<object[]>;
}

interface LastWrite {
  statement: Prepared;
  parameters: unknown[];
  done: (rows: object[]) => void;
}

declare const transaction: unique symbol;

/** For writes and publishing: a transaction. Only `transact` and `autocommit` make one. */
export interface Tx extends Reader {
  readonly [transaction]: true;
  /** Undefined in `autocommit`, where nothing is committed together. */
  readonly commit?: {
    /** Streams whose events the transaction has written. */
    published: Set<string>;
    /** Sent together with the COMMIT. */
    lastWrites: LastWrite[];
    /** Called afterwards. */
    hints: (() => void)[];
  };
}

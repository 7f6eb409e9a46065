/** Names in quotes are no keywords and no functions. */
const quotedNames = /"[^"]*"/g;
/** What changes something, locks something, or answers anew each time though nothing was written. */
const notPure =
  /\b(insert|update|delete|merge|for|nextval|setval|set_config|now|random|gen_random_uuid|timeofday|\w+_timestamp|current_\w+|localtime\w*|pg_\w+)\b/i;

/** Whether a statement does nothing but read what is stored. A statement without parameters is asked for its own sake. */
export const isPureRead = (sql: string, parameters: readonly unknown[]): boolean =>
  parameters.length > 0 && /^(select|with)\b/i.test(sql) && !notPure.test(sql.replaceAll(quotedNames, ''));

/** The answers to statements that only read, as long as nothing is written. */
export interface ReadCache<Row> {
  get(sql: string, parameters: readonly unknown[]): Row[] | undefined;
  keep(sql: string, parameters: readonly unknown[], rows: readonly Row[]): void;
  /** Called for whatever may write, before it runs and after. */
  clear(): void;
}

const keyOf = (sql: string, parameters: readonly unknown[]): string => JSON.stringify([sql, parameters]);

/** Rows are copied on the way in and out, so that a caller that changes them changes its own. */
const copies = <Row>(rows: readonly Row[]): Row[] => rows.map((row) => ({ ...row }));

/** @param maxRows rows that are kept in all, each answer counting as one more; beyond, it begins anew */
export const createReadCache = <Row>(maxRows: number): ReadCache<Row> => {
  const answers = new Map<string, readonly Row[]>();
  let size = 0;
  const clear = (): void => {
    answers.clear();
    size = 0;
  };
  return {
    clear,
    get: (sql, parameters) => {
      const rows = answers.get(keyOf(sql, parameters));
      return rows && copies(rows);
    },
    keep: (sql, parameters, rows) => {
      if (size + rows.length + 1 > maxRows) clear();
      if (rows.length + 1 > maxRows) return;
      answers.set(keyOf(sql, parameters), copies(rows));
      size += rows.length + 1;
    },
  };
};

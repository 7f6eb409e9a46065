export interface GridColumn {
  readonly name: string;
  /** A type of PostgreSQL, shown after the name. */
  readonly type?: string | undefined;
}

const numericTypes = new Set(['smallint', 'integer', 'bigint', 'numeric', 'double precision']);

/** Whether values of the column are aligned to the right, as numbers are. */
export const isNumeric = ({ type }: GridColumn): boolean => type !== undefined && numericTypes.has(type);

/** The columns of a schema, in its order. */
export const toGridColumns = (schema: Readonly<Record<string, { type: string }>>): GridColumn[] =>
  Object.entries(schema).map(([name, { type }]) => ({ name, type }));

/**
 * The reference implementation of a few SQL constructs. It evaluates statements row by row over records in memory,
 * without an engine. Tests pass it only the records that the reader sees.
 */

export type Value = number | string | null;
export type Row = Readonly<Record<string, Value>>;

export interface OracleColumn {
  /** The name of the dataset in the statement. */
  readonly of: string;
  readonly name: string;
}

export type Condition =
  | {
      readonly kind: 'compare';
      readonly column: OracleColumn;
      readonly operator: '<' | '<>' | '=' | '>=';
      readonly value: number | string;
    }
  | { readonly kind: 'null'; readonly column: OracleColumn }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] };

export type Output =
  | { readonly kind: 'column'; readonly column: OracleColumn }
  | { readonly kind: 'rows' }
  | { readonly kind: 'count' | 'distinct' | 'max' | 'min' | 'sum'; readonly column: OracleColumn };

export interface OracleQuery {
  readonly left: string;
  readonly join?: { readonly kind: 'inner' | 'left'; readonly right: string; readonly on: string };
  readonly where?: Condition;
  readonly groupBy?: readonly OracleColumn[];
  readonly havingMoreThan?: number;
  readonly outputs: readonly Output[];
  /** Whether the rows are sorted by all outputs, which makes the order total. */
  readonly ordered: boolean;
  readonly limit?: number;
}

const columnText = ({ of, name }: OracleColumn): string => `${of}.${name}`;
const valueText = (value: number | string): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;

const conditionText = (condition: Condition): string => {
  switch (condition.kind) {
    case 'compare':
      return `${columnText(condition.column)} ${condition.operator} ${valueText(condition.value)}`;
    case 'null':
      return `${columnText(condition.column)} IS NULL`;
    case 'not':
      return `NOT (${conditionText(condition.part)})`;
    case 'and':
    case 'or':
      return `(${condition.parts.map(conditionText).join(` ${condition.kind} `)})`;
  }
};

const outputText = (output: Output): string => {
  if (output.kind === 'column') return columnText(output.column);
  if (output.kind === 'rows') return 'count(*)';
  const column = columnText(output.column);
  return output.kind === 'distinct' ? `count(DISTINCT ${column})` : `${output.kind}(${column})`;
};

/** Prints a statement as SQL. */
export function oracleText(query: OracleQuery): string {
  const { left, join, where, groupBy, havingMoreThan, outputs, ordered, limit } = query;
  return [
    `SELECT ${outputs.map((output, i) => `${outputText(output)} AS c${String(i)}`).join(', ')} FROM ${left}`,
    join === undefined
      ? ''
      : ` ${join.kind} JOIN ${join.right} ON ${left}.${join.on} = ${join.right}.${join.on}`,
    where === undefined ? '' : ` WHERE ${conditionText(where)}`,
    groupBy === undefined || groupBy.length === 0 ? '' : ` GROUP BY ${groupBy.map(columnText).join(', ')}`,
    havingMoreThan === undefined ? '' : ` HAVING count(*) > ${String(havingMoreThan)}`,
    ordered ? ` ORDER BY ${outputs.map((_, i) => String(i + 1)).join(', ')}` : '',
    limit === undefined ? '' : ` LIMIT ${String(limit)}`,
  ].join('');
}

type Joined = Readonly<Record<string, Row | undefined>>;

const valueOf = ({ of, name }: OracleColumn, row: Joined): Value => row[of]?.[name] ?? null;

/** Compares texts by code points and numbers by value; null sorts last. */
const compareValues = (a: Value, b: Value): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
};

/** Evaluates a condition to true, false or null (unknown). */
const holds = (condition: Condition, row: Joined): boolean | null => {
  switch (condition.kind) {
    case 'compare': {
      const value = valueOf(condition.column, row);
      if (value === null) return null;
      const order = compareValues(value, condition.value);
      if (condition.operator === '=') return order === 0;
      if (condition.operator === '<>') return order !== 0;
      return condition.operator === '<' ? order < 0 : order >= 0;
    }
    case 'null':
      return valueOf(condition.column, row) === null;
    case 'not': {
      const held = holds(condition.part, row);
      return held === null ? null : !held;
    }
    case 'and':
    case 'or': {
      const deciding = condition.kind === 'or';
      const held = new Set(condition.parts.map((part) => holds(part, row)));
      if (held.has(deciding)) return deciding;
      return held.has(null) ? null : !deciding;
    }
  }
};

const outputOf = (output: Output, rows: readonly Joined[]): Value => {
  if (output.kind === 'rows') return rows.length;
  const values = rows.map((row) => valueOf(output.column, row));
  if (output.kind === 'column') return values[0] ?? null;
  const known = values.filter((value) => value !== null);
  if (output.kind === 'count') return known.length;
  if (output.kind === 'distinct') return new Set(known).size;
  if (known.length === 0) return null;
  if (output.kind === 'sum') return known.reduce<number>((sum, value) => sum + Number(value), 0);
  const sorted = known.toSorted(compareValues);
  return (output.kind === 'min' ? sorted[0] : sorted.at(-1)) ?? null;
};

const compareRows = (a: readonly Value[], b: readonly Value[]): number => {
  for (const [i, value] of a.entries()) {
    const order = compareValues(value, b[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
};

/**
 * The rows of a statement, sorted by all their columns.
 * @param visible the records that the reader sees, by dataset
 */
export function oracleRows(query: OracleQuery, visible: Readonly<Record<string, readonly Row[]>>): Value[][] {
  const { left, join, where, groupBy, havingMoreThan, outputs, limit } = query;
  let rows: Joined[] = (visible[left] ?? []).map((row) => ({ [left]: row }));
  if (join !== undefined) {
    const { kind, right, on } = join;
    rows = rows.flatMap((row): Joined[] => {
      const key = valueOf({ of: left, name: on }, row);
      const pairs = (visible[right] ?? []).filter((other) => key !== null && other[on] === key);
      if (pairs.length === 0) return kind === 'left' ? [row] : [];
      return pairs.map((other) => ({ ...row, [right]: other }));
    });
  }
  if (where !== undefined) rows = rows.filter((row) => holds(where, row) === true);
  const groups = groupBy === undefined ? rows.map((row) => [row]) : groupsOf(rows, groupBy);
  const kept = groups.filter((group) => havingMoreThan === undefined || group.length > havingMoreThan);
  const results = kept.map((group) => outputs.map((output) => outputOf(output, group)));
  return results.toSorted(compareRows).slice(0, limit);
}

function groupsOf(rows: readonly Joined[], by: readonly OracleColumn[]): Joined[][] {
  if (by.length === 0) return [[...rows]];
  const groups = Map.groupBy(rows, (row) => JSON.stringify(by.map((column) => valueOf(column, row))));
  return [...groups.values()];
}

import type { Expression } from '../../expression.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { engineType, toScalarType, type SqlType } from '../../types.ts';
import type { AggregateCall } from './aggregate-call.ts';
import { compileAggregate, isAggregate } from './aggregates.ts';
import { compileAssignmentCast, requireKnownType } from '../casts.ts';
import { commonType } from '../common-type.ts';
import { nullable } from '../booleans.ts';

/** The frame of a window function, with its bounds in engine syntax. */
export interface WindowFrame {
  readonly unit: 'RANGE' | 'ROWS';
  /** Whether the statement specifies it. */
  readonly written: boolean;
  readonly start: string;
  readonly end: string;
}

export interface WindowCall extends Omit<AggregateCall, 'orderBy' | 'withinGroup'> {
  /** PARTITION BY and ORDER BY for the engine; can be empty. */
  readonly over: string;
  readonly frame: WindowFrame;
  /** Whether the statement has an ORDER BY. Tie-breakers alone do not count. */
  readonly hasOrder: boolean;
}

/** The input from which a rule compiles its SQL. */
interface WindowParts {
  readonly use: WindowCall;
  readonly args: readonly Expression[];
  /** OVER without the frame. */
  readonly plain: string;
  /** OVER with the frame. */
  readonly framed: string;
}

interface WindowRule {
  readonly name: string;
  /** The minimum and maximum number of arguments. */
  readonly least: number;
  readonly most: number;
  /** Whether rows that tie in ORDER BY need a fixed order. */
  readonly totalOrder: boolean;
  readonly emit: (parts: WindowParts) => { sql: string; type: SqlType };
}

const bigint = toScalarType('bigint');
const double = toScalarType('double precision');

const ranking = (name: string, type: SqlType, totalOrder = false): WindowRule => ({
  name,
  least: 0,
  most: 0,
  totalOrder,
  emit: ({ plain }) => ({ sql: `${name}() ${plain}`, type }),
});

/** Requires an integer constant, because the engine accepts nothing else; null for NULL. */
function wholeLiteral(e: Expression, what: string): number | null {
  if (e.literal === null) return null;
  const value = Number(e.literal?.trim() ?? Number.NaN);
  if (!Number.isInteger(value) || Math.abs(value) > 2 ** 31 - 1) {
    throw unsupportedSql(`${what} that is not a constant integer`, e.at, 'Write it as a number, as in 1.');
  }
  return value;
}

/** The value of the row at an offset before or after the current row. */
const neighbour = (name: 'lag' | 'lead', direction: 1 | -1): WindowRule => ({
  name,
  least: 1,
  most: 3,
  totalOrder: true,
  emit: ({ args, plain, use }) => {
    const [value, offset, otherwise] = args;
    if (value === undefined) throw new Error('The number of arguments was checked.');
    const type =
      otherwise === undefined ? requireKnownType(value).type : commonType([value, otherwise], use.at, name);
    const { sql } = compileAssignmentCast(value, type, value.at, `the value of ${name}`);
    const distance = offset === undefined ? 1 : wholeLiteral(offset, `a distance of ${name}`);
    if (distance === null) return { sql: 'NULL', type };
    if (distance === 0) return { sql, type };
    const engineName = distance * direction > 0 ? 'lag' : 'lead';
    const at = (column: string): string => `${engineName}(${column}, ${String(Math.abs(distance))}) ${plain}`;
    if (otherwise === undefined) return { sql: at(sql), type };
    const outside = compileAssignmentCast(otherwise, type, otherwise.at, `the default of ${name}`).sql;
    return { sql: `if(isNull(${at('toNullable(1)')}), ${outside}, ${at(sql)})`, type };
  },
});

/** The first or last value of a frame. It is wrapped in a tuple, because otherwise the engine would skip NULL. */
const ofFrame = (name: 'first_value' | 'last_value'): WindowRule => ({
  name,
  least: 1,
  most: 1,
  totalOrder: true,
  emit: ({ args: [value], framed }) => {
    if (value === undefined) throw new Error('The number of arguments was checked.');
    const { sql, type } = requireKnownType(value);
    return { sql: `tupleElement(${name}(tuple(${sql})) ${framed}, 1)`, type };
  },
});

const rules: readonly WindowRule[] = [
  ranking('row_number', bigint, true),
  ranking('rank', bigint),
  ranking('dense_rank', bigint),
  ranking('percent_rank', double),
  ranking('cume_dist', double),
  {
    name: 'ntile',
    least: 1,
    most: 1,
    totalOrder: true,
    emit: ({ args: [buckets], plain }) => {
      if (buckets === undefined) throw new Error('The number of arguments was checked.');
      const type = toScalarType('integer');
      const count = wholeLiteral(buckets, 'a number of buckets of ntile');
      if (count === null) return { sql: 'NULL', type };
      if (count <= 0) throw invalidSql('argument of ntile must be greater than zero', buckets.at);
      return { sql: `ntile(${String(count)}) ${plain}`, type };
    },
  },
  neighbour('lag', 1),
  neighbour('lead', -1),
  ofFrame('first_value'),
  ofFrame('last_value'),
  {
    name: 'nth_value',
    least: 2,
    most: 2,
    totalOrder: true,
    emit: ({ args: [value, place], framed }) => {
      if (value === undefined || place === undefined) throw new Error('The number of arguments was checked.');
      const { sql, type } = requireKnownType(value);
      const nth = wholeLiteral(place, 'a place of nth_value');
      if (nth === null) return { sql: 'NULL', type };
      if (nth <= 0) throw invalidSql('argument of nth_value must be greater than zero', place.at);
      return { sql: `tupleElement(nth_value(tuple(${sql}), ${String(nth)}) ${framed}, 1)`, type };
    },
  },
];

/** The window functions that are not aggregates. */
export const windowFunctions: readonly string[] = rules.map(({ name }) => name);

const ruleOf = (name: string): WindowRule | undefined => rules.find((rule) => rule.name === name);

/**
 * Whether rows that tie in ORDER BY need a fixed order, so that the result does not depend on how they are stored.
 * Ranks and RANGE frames do not need it, because they treat tied rows alike.
 */
export const needsTotalOrder = (name: string, frame: WindowFrame): boolean =>
  ruleOf(name)?.totalOrder ?? frame.unit === 'ROWS';

/** Aggregates whose lists are ordered by value. */
const listAggregates: ReadonlySet<string> = new Set(['array_agg', 'jsonb_agg', 'string_agg']);

/**
 * Compiles a call with OVER.
 * @throws SqlCompileError for invalid and unsupported calls
 */
export function compileWindowCall(use: WindowCall): Expression {
  const { name, at, over, distinct, filter, args, hasOrder } = use;
  if (distinct) throw invalidSql('DISTINCT is not implemented for window functions', at);
  const plain = `OVER (${over})`;
  const framed = `OVER (${over}${frameText(use)})`;
  const rule = ruleOf(name);
  if (rule === undefined) {
    if (!isAggregate(name)) throw invalidSql(`the window function ${name} does not exist`, at);
    if (hasOrder && listAggregates.has(name)) {
      throw unsupportedSql(
        `${name} over a window with ORDER BY`,
        at,
        'Leave the ORDER BY of the window out, or use the aggregate with GROUP BY.',
      );
    }
    return compileAggregate({ ...use, orderBy: [], withinGroup: false }, framed.slice('OVER '.length));
  }
  if (filter !== undefined) {
    throw invalidSql('FILTER is not implemented for non-aggregate window functions', at);
  }
  if (use.star || args.length < rule.least || args.length > rule.most) {
    throw invalidSql(`the window function ${name} does not take these arguments`, at);
  }
  const { sql, type } = rule.emit({ use, args: args.map(nullable), plain, framed });
  return { sql: `CAST(${sql} AS ${engineType(type)})`, type, at };
}

/** PostgreSQL's default frame is also the engine's: up to the last row that ties with the current one. */
function frameText({ frame, at }: WindowCall): string {
  if (!frame.written) return '';
  const [from, to] = [boundOf(frame.start), boundOf(frame.end)];
  if (from > to)
    throw unsupportedSql('a window frame that is always empty', at, 'Let the frame start before it ends.');
  return ` ${frame.unit} BETWEEN ${frame.start} AND ${frame.end}`;
}

/** The offset of a bound from the current row. */
function boundOf(bound: string): number {
  if (bound === 'CURRENT ROW') return 0;
  const distance = bound.startsWith('UNBOUNDED') ? Number.POSITIVE_INFINITY : Number.parseInt(bound, 10);
  return bound.endsWith('PRECEDING') ? -distance : distance;
}

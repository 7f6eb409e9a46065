import type { FuncCall, Node, RangeFunction } from 'libpg-query';
import { unnestable } from '../expressions/arrays.ts';
import { tieBreakers } from '../expressions/ordering.ts';
import type { Expression } from '../expression.ts';
import { invalid, unsupported } from '../fault.ts';
import { scalar, type SqlType } from '../types.ts';
import { measured, type Scope } from './compilation.ts';
import { compileExpression } from './compile.ts';
import { correlationWith } from './correlation.ts';
import { findAlone, type Column, type FromItem, type Relation } from './relation.ts';
import { builtInName, namesOf, onlyFields, wholeConstant } from './syntax.ts';

const longestSeries = 1_000_000;

/** A function that gives rows, in FROM: `unnest(array)` and `generate_series(1, 10)`. */
export function tableFunction(range: RangeFunction, scope: Scope): FromItem {
  const call = onlyCall(range);
  const at = call.location ?? 0;
  const { alias } = range;
  onlyFields(range, ['functions', 'alias', 'lateral'], 'a function in FROM', at);
  onlyFields(call, ['funcname', 'args', 'funcformat', 'location'], 'a function in FROM', at);
  const name = builtInName(call.funcname, 'the function', at);
  const { compilation } = scope;
  const correlation = correlationWith(scope.outer, compilation);
  const inside: Scope = {
    ...scope,
    correlation,
    level: undefined,
    place: { clause: 'FROM', aggregates: false, windows: false },
  };
  const { result, touched } = measured(compilation, () => rowsOf(name, call, inside, at));
  const [columnName = alias?.aliasname ?? name, ...more] = namesOf(alias?.colnames, at);
  if (more.length > 0) throw invalid(`${name} gives one column`, at);
  const column = compilation.name();
  const own: Column = {
    name: columnName,
    get: (location): Expression => {
      compilation.touched.add(relation.id);
      return { sql: column, type: result.type, at: location };
    },
  };
  const relation: Relation = {
    id: compilation.id(),
    alias: alias?.aliasname ?? name,
    columns: () => [own],
    find: (names) => findAlone([own], names),
  };
  const outside = compilation.name();
  const item = {
    relations: [relation],
    simple: true,
    tieBreakers: () => tieBreakers({ sql: column, type: result.type }),
  };
  const rows = `arrayJoin(${result.sql}) AS ${column}`;
  const isOfRow = scope.relations.some(({ id }) => touched.has(id));
  if (correlation?.isUsed() === true) {
    if (isOfRow) throw unsupported(`${name} of columns around the query and of its own`, at);
    return {
      ...item,
      key: correlation.key,
      render: () => `(SELECT *, ${rows} FROM ${correlation.render()}) AS ${outside}`,
    };
  }
  if (isOfRow) return { ...item, lateral: rows, render: () => outside };
  return { ...item, render: () => `(SELECT ${rows}) AS ${outside}` };
}

function onlyCall({ functions = [] }: RangeFunction): FuncCall {
  const [list, ...more] = functions;
  const [node] = list !== undefined && 'List' in list ? (list.List.items ?? []) : [];
  if (node === undefined || more.length > 0) throw unsupported('ROWS FROM', 0);
  if (!('FuncCall' in node)) throw unsupported('this function in FROM', 0);
  return node.FuncCall;
}

/** The engine's array of what the rows hold. */
function rowsOf(
  name: string,
  { args = [] }: FuncCall,
  scope: Scope,
  at: number,
): { sql: string; type: SqlType } {
  if (name === 'generate_series') return { sql: series(args, at), type: scalar('integer') };
  const [argument, ...more] = args;
  if (name !== 'unnest' || argument === undefined || more.length > 0) {
    throw unsupported(`the function ${name} with these arguments in FROM`, at);
  }
  return unnestable(compileExpression(argument, scope), at);
}

function series(args: readonly Node[], at: number): string {
  const [start, stop, step = 1, ...more] = args.map((node) => wholeConstant(node, 'generate_series', at));
  if (start === undefined || stop === undefined || more.length > 0) {
    throw invalid('generate_series takes a start, an end and perhaps a step', at);
  }
  if (step === 0) throw invalid('the step of generate_series cannot be 0', at);
  const count = Math.max(0, Math.floor((stop - start) / step) + 1);
  if (count > longestSeries)
    throw unsupported(`generate_series of more than ${String(longestSeries)} rows`, at);
  const value = `toInt64(${String(start)} + number * ${String(step)})`;
  return `arrayMap(number -> CAST(${value} AS Nullable(Int64)), range(${String(count)}))`;
}

import type { CommonTableExpr, Node, SelectStmt } from 'libpg-query';
import type { Expression } from '../expression.ts';
import { zoneListOfPlaceholder, zonePlaceholder } from '../expressions/datetime/zoned-timestamps.ts';
import type { OpenQuery } from './query.ts';
import type { VisibleLabels } from '@redoubt/labels';
import type { SqlType } from '../types.ts';
import type { PathEntry, TableName } from '../../compile/search-types.ts';
import type { FieldType } from '../../storage/field-type.ts';
import { unsupportedSql, type SqlCompileError } from '../sql-compile-error.ts';
import type { WrittenName } from './names.ts';
import type { Correlation, CorrelationDomain, JoinLevel } from './correlation.ts';
import { sqlLimits, type ParsedSql } from './parse-sql.ts';
import type { Relation } from './relation.ts';

/** A field that the reader may name: one that records visible to them have. */
export interface SqlField {
  /** Keys joined with ".". */
  path: string;
  type: FieldType;
  entry: PathEntry;
  /** Whether `*` shows it. */
  topLevel: boolean;
}

/** A dataset that the reader may read, as far as they see it. */
export interface SqlDataset {
  id: string;
  name: string;
  table: TableName;
  visible: VisibleLabels;
  fields: readonly SqlField[];
  /** Whether it shows its records of documents alone. */
  documents?: boolean | undefined;
}

export interface SqlCatalog {
  /** The dataset that a name means. */
  find(name: WrittenName): SqlDataset | 'ambiguous' | undefined;
}

/** The parts of the compiler that need each other. */
export interface StatementCompilers {
  expression(node: Node, scope: Scope): Expression;
  condition(node: Node, scope: Scope): string;
  query(statement: SelectStmt, scope: Scope, at: number): OpenQuery;
}

/** What all parts of one statement share while it is compiled. */
export interface Compilation {
  readonly parts: StatementCompilers;
  readonly parsed: ParsedSql;
  readonly catalog: SqlCatalog;
  /** The moment that now() means. */
  readonly now: Date;
  /** A name that nothing else in the compiled statement has. */
  name(): string;
  /** The datasets read, once for each time that they are named. */
  readonly scans: SqlDataset[];
  /**
   * A mark that stands for a text until the statement is complete: it decides which records and columns are visible, so its length
   * is no part of the statement's size.
   */
  aside(text: string): string;
  /** Puts those texts in their places. */
  complete(sql: string): string;
  /** A number for a relation. */
  id(): number;
  /** Counts the text that was made, so that a short statement cannot become one without end. */
  wrote(sql: string): void;
  /** The ids of relations whose columns were named since `trackRelations` began. */
  touched: Set<number>;
}

export const createCompilation = (
  parts: StatementCompilers,
  { parsed, catalog, now }: Pick<Compilation, 'catalog' | 'now' | 'parsed'>,
): Compilation => {
  let names = 0;
  let ids = 0;
  let written = 0;
  const asides: string[] = [];
  const name = (): string => {
    if (++names > sqlLimits.names) throw statementTooLarge();
    return `x${String(names)}`;
  };
  const wrote = (sql: string): void => {
    written += lengthIgnoringDigits(sql);
    if (written > sqlLimits.written) throw statementTooLarge();
  };
  return {
    parts,
    parsed,
    catalog,
    now,
    name,
    wrote,
    id: () => ++ids,
    scans: [],
    aside: (text) => {
      const known = asides.indexOf(text);
      const number = known === -1 ? asides.push(text) - 1 : known;
      // Nothing in a statement has a NUL character.
      return `\0${String(number).padStart(4, '0')}\0`;
    },
    complete: (sql) =>
      sql
        .replaceAll(/\0(\d+)\0/g, (_, number: string) => asides[Number(number)] ?? '')
        .replaceAll(zonePlaceholder, (_, number: string) => zoneListOfPlaceholder(number)),
    touched: new Set(),
  };
};

/** What one mark of a text that is put in later counts: the text may be long, and is written out wherever the mark stands. */
const markLength = 2000;
/** Digits that count as one number. */
const numberLength = 10;

/**
 * The length of a text as a reader may know it: paths have numbers that grow with those that others brought in, so numbers
 * count the same whatever their digits.
 */
export function lengthIgnoringDigits(sql: string): number {
  let length = 0;
  let digits = 0;
  for (let at = 0; at < sql.length; at++) {
    const code = sql.charCodeAt(at);
    const isDigit = code >= 0x30 && code <= 0x39;
    // A mark has a NUL character at either end.
    if (!isDigit) length += code === 0 ? markLength / 2 : 1;
    else if (digits % numberLength === 0) length += numberLength;
    digits = isDigit ? digits + 1 : 0;
  }
  return length;
}

export const statementTooLarge = (): SqlCompileError =>
  unsupportedSql(
    'a statement that is so large when written out',
    0,
    'Shorten it: name values that come several times in a subquery or WITH, and divide fewer numerics within each other.',
  );

/** Runs `work` and tells which relations it named. */
export function trackRelations<Result>(
  compilation: Compilation,
  work: () => Result,
): { result: Result; touched: ReadonlySet<number> } {
  const before = compilation.touched;
  const touched = new Set<number>();
  compilation.touched = touched;
  try {
    return { result: work(), touched };
  } finally {
    compilation.touched = new Set([...before, ...touched]);
  }
}

/** What a name can mean at a place of the statement. */
export interface Scope {
  readonly compilation: Compilation;
  readonly relations: Relation[];
  readonly ctes: ReadonlyMap<string, Cte>;
  readonly outer: Scope | undefined;
  /** Where rows are groups, what may be said of a group. */
  grouping?: Grouping;
  /** Whether literals in quotes and NULL stay without a type as outputs: they may get that of another query's column. */
  readonly keepsUnknown?: boolean;
  /** Of the scope around a subquery: the values of its rows that the subquery names. */
  readonly domain?: CorrelationDomain | undefined;
  /** What this query reads of the rows around it, where there are any. */
  readonly correlation?: Correlation | undefined;
  /** Conditions of inner joins that have to wait until all of FROM is known. */
  readonly later?: (() => string)[];
  /** Whether an outer join may replace the rows of this part of FROM by NULL. */
  readonly isOptional?: boolean;
  /** The rows here, which values of subqueries can be joined to; none in clauses where they cannot. */
  readonly level?: JoinLevel | undefined;
  /** Windows by their names. */
  readonly windows?: ReadonlyMap<string, Node>;
  /** Columns that tell the rows apart of which the select list is compiled. */
  readonly tieBreakers?: () => readonly string[];
  /** Why aggregates and windows cannot stand here, or that they can. */
  readonly place: ClauseContext;
}

/** What a clause is called in messages, and what may stand in it. */
export interface ClauseContext {
  readonly clause: string;
  readonly aggregates: boolean;
  readonly windows: boolean;
}

export interface Cte {
  readonly expression: CommonTableExpr;
  /** The scope that its query is read in. */
  readonly scope: Scope;
}

/** What rows are grouped by. */
export interface GroupKey {
  /** Compiled on the rows that are grouped. */
  readonly sql: string;
  /** As it is written. */
  readonly node: Node;
  /** What tells one expression from another. */
  readonly text: string;
  /** The engine's name of it in the rows that groups are. */
  readonly name: string;
  readonly type: SqlType;
}

export interface GroupAggregate {
  readonly sql: string;
  readonly name: string;
  readonly type: SqlType;
  /** Whether no rows count as 0 rather than NULL. */
  readonly isCount: boolean;
}

/** Several groupings of the same rows at once: GROUPING SETS, ROLLUP and CUBE. */
export interface GroupingSets {
  /** The keys of each by their places; the others are NULL in its groups. */
  readonly sets: readonly (readonly number[])[];
  /** The name of a column that numbers them. */
  readonly number: string;
  /** GROUPING(...) by their names: of each set the value. */
  readonly marks: Map<string, readonly number[]>;
}

export interface Grouping {
  readonly keys: GroupKey[];
  readonly sets?: GroupingSets;
  readonly aggregates: GroupAggregate[];
  /** The same place before grouping: what arguments of aggregates see. */
  readonly rows: Scope;
}

/** The query around what stands in a scope: its relations are not its own, and rows mean what they mean there. */
export const outerScope = (around: Scope): Scope | undefined =>
  around.domain !== undefined || around.relations.length > 0 ? around : around.outer;

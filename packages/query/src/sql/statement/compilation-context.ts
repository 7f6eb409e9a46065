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

/** A field that statements can use: some record that is visible to the reader has it. */
export interface SqlField {
  /** The keys joined with ".". */
  path: string;
  type: FieldType;
  entry: PathEntry;
  /** Whether `*` includes it. */
  topLevel: boolean;
}

/** A dataset that the reader can read, with what is visible to them. */
export interface SqlDataset {
  id: string;
  name: string;
  table: TableName;
  visible: VisibleLabels;
  fields: readonly SqlField[];
  /** Whether only records that are pages of documents are visible. */
  documents?: boolean | undefined;
  /** A predicate from `compileUnfilteredPredicate`: the statement reads only records that satisfy it. */
  matching?: string | undefined;
}

/** The datasets that a statement of one reader can use. */
export interface SqlCatalog {
  /**
   * Finds a dataset by its id or name; undefined for datasets that do not exist and for those that the reader cannot
   * read.
   */
  find(name: WrittenName): SqlDataset | 'ambiguous' | undefined;
}

/** Compiler functions that call each other across files that cannot import each other. */
export interface StatementCompilers {
  expression(node: Node, scope: Scope): Expression;
  condition(node: Node, scope: Scope): string;
  query(statement: SelectStmt, scope: Scope, at: number): OpenQuery;
}

/** The state of the compilation of one statement. */
export interface Compilation {
  readonly parts: StatementCompilers;
  readonly parsed: ParsedSql;
  readonly catalog: SqlCatalog;
  /** The time that now() returns. */
  readonly now: Date;
  /** Returns a name that is unique in the compiled statement. */
  name(): string;
  /** The datasets that the statement reads, with one entry for each use. */
  readonly scans: SqlDataset[];
  /**
   * Returns a placeholder for a text until the statement is complete. Use it for texts that depend on hidden records or
   * columns: each placeholder has a fixed size, so the size limit discloses nothing about the text.
   */
  aside(text: string): string;
  /** Replaces all placeholders by their texts. */
  complete(sql: string): string;
  /** Returns a new relation id. */
  id(): number;
  /** Adds text to the total of generated text, and throws if the total exceeds the limit. */
  wrote(sql: string): void;
  /** The ids of the relations whose columns were used since `trackRelations` started. */
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
      // Statements contain no NUL characters, so placeholders are unique.
      return `\0${String(number).padStart(4, '0')}\0`;
    },
    complete: (sql) =>
      sql
        .replaceAll(/\0(\d+)\0/g, (_, number: string) => asides[Number(number)] ?? '')
        .replaceAll(zonePlaceholder, (_, number: string) => zoneListOfPlaceholder(number)),
    touched: new Set(),
  };
};

/** The length that a placeholder counts, whatever the length of its text. */
const placeholderLength = 2000;
/** The length that a number with up to this many digits counts. */
const numberLength = 10;

/**
 * Measures text so that its length discloses nothing about hidden data. Path ids are larger if there are more hidden
 * paths, so all numbers of up to `numberLength` digits count the same.
 */
export function lengthIgnoringDigits(sql: string): number {
  let length = 0;
  let digits = 0;
  for (let at = 0; at < sql.length; at++) {
    const code = sql.charCodeAt(at);
    const isDigit = code >= 0x30 && code <= 0x39;
    // A placeholder has a NUL character at both ends.
    if (!isDigit) length += code === 0 ? placeholderLength / 2 : 1;
    else if (digits % numberLength === 0) length += numberLength;
    digits = isDigit ? digits + 1 : 0;
  }
  return length;
}

export const statementTooLarge = (): SqlCompileError =>
  unsupportedSql(
    'a statement that becomes so large when it is compiled',
    0,
    'Shorten it: compute repeated values once in a subquery or WITH, and use fewer nested divisions of numerics.',
  );

/** Runs `work` and returns its result and the ids of the relations whose columns it used. */
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

/** The names that are in scope at a place of the statement. */
export interface Scope {
  readonly compilation: Compilation;
  readonly relations: Relation[];
  readonly ctes: ReadonlyMap<string, Cte>;
  readonly outer: Scope | undefined;
  /** The grouping of the query, if its rows are groups. */
  grouping?: Grouping;
  /**
   * Whether string literals and NULL keep the type `unknown` as output columns, because a column of another query may
   * determine their type.
   */
  readonly keepsUnknown?: boolean;
  /** In the scope around a subquery: the values of outer rows that the subquery uses. */
  readonly domain?: CorrelationDomain | undefined;
  /** The values of outer rows that this query uses. */
  readonly correlation?: Correlation | undefined;
  /** Conditions of inner joins that must be compiled later, when all of FROM is known. */
  readonly later?: (() => string)[];
  /** Whether this part of FROM is the optional side of an outer join, which replaces missing rows by NULL. */
  readonly isOptional?: boolean;
  /** The rows to which values of subqueries can be joined; undefined in clauses where that is not possible. */
  readonly level?: JoinLevel | undefined;
  /** The named windows. */
  readonly windows?: ReadonlyMap<string, Node>;
  /** The tie-breakers of the rows for which the select list is compiled. */
  readonly tieBreakers?: () => readonly string[];
  /** The clause, and whether it allows aggregates and window functions. */
  readonly place: ClauseContext;
}

/** The name of a clause in messages, and what it allows. */
export interface ClauseContext {
  readonly clause: string;
  readonly aggregates: boolean;
  readonly windows: boolean;
}

/** A WITH query. It is compiled at each use. */
export interface Cte {
  readonly expression: CommonTableExpr;
  /** The scope in which its query is compiled. */
  readonly scope: Scope;
}

/** A key of GROUP BY. */
export interface GroupKey {
  /** The expression on the rows before grouping. */
  readonly sql: string;
  /** The node in the syntax tree. */
  readonly node: Node;
  /** A text that is equal for equal expressions. */
  readonly text: string;
  /** The name of its column in the groups. */
  readonly name: string;
  readonly type: SqlType;
}

/** An aggregate on the rows of each group, with the name of its column in the groups. */
export interface GroupAggregate {
  readonly sql: string;
  readonly name: string;
  readonly type: SqlType;
  /** Whether its value for no rows is 0 instead of NULL. */
  readonly isCount: boolean;
}

/** Several groupings of the same rows: GROUPING SETS, ROLLUP and CUBE. */
export interface GroupingSets {
  /** For each set the indexes of its keys. The other keys are NULL in its groups. */
  readonly sets: readonly (readonly number[])[];
  /** The name of a column with the number of the set. */
  readonly number: string;
  /** The columns of GROUPING(...) calls by name, with the value for each set. */
  readonly marks: Map<string, readonly number[]>;
}

/** The grouping of a query. Compiling its clauses adds keys and aggregates. */
export interface Grouping {
  readonly keys: GroupKey[];
  readonly sets?: GroupingSets;
  readonly aggregates: GroupAggregate[];
  /** The scope of the rows before grouping, in which arguments of aggregates are compiled. */
  readonly rows: Scope;
}

/**
 * Returns the scope around a subquery: `around`, or the scope outside of it if `around` has no relations of its own.
 */
export const outerScope = (around: Scope): Scope | undefined =>
  around.domain !== undefined || around.relations.length > 0 ? around : around.outer;

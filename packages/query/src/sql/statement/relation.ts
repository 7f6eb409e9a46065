import type { Expression } from '../expression.ts';
import { findNamed, type NameLookup, type WrittenName } from './names.ts';

/** A column of a relation. */
export interface Column {
  readonly name: string;
  /** Returns the value, and adds the column to those that the relation reads. */
  get(at: number): Expression;
}

/**
 * The table name of functions that are hoisted from a select list. Statements contain no NUL characters, so it is
 * unique.
 */
export const hoistedFunctionsTable = '\0functions';

/** A table, subquery or function in FROM. */
export interface Relation {
  readonly id: number;
  /** Its name in the statement. */
  readonly alias: string | undefined;
  /** The columns of `*`. */
  columns(): readonly Column[];
  /** The columns of `alias.*`, if `*` has fewer of them. */
  readonly own?: () => readonly Column[];
  /**
   * The names of columns that USING has merged with those of another relation. A name means the column of this relation
   * only together with its alias.
   */
  readonly merged?: ReadonlySet<string>;
  /** Finds the column of a reference of one or more names. */
  find(names: readonly WrittenName[]): NameLookup<Column>;
  /** The column that the alias itself means as a value, if each row is a single value. */
  readonly row?: Column;
}

/** Finds a column by a single name. */
export const findUniqueColumn = (
  columns: readonly Column[],
  [first, ...rest]: readonly WrittenName[],
): NameLookup<Column> =>
  first === undefined || rest.length > 0 ? undefined : findNamed(columns, ({ name }) => name, first);

/** A part of FROM: one relation, or several joined ones. */
export interface FromItem {
  readonly relations: readonly Relation[];
  /** The names of columns that distinguish its rows. Rows that agree in all of them are equal. */
  tieBreakers(): string[];
  /**
   * Set if the rows are computed for each row of `from`. It returns SQL with the columns of both, so `render` includes
   * `from`. If `isOptional`, a row of `from` without rows of this item is kept, with NULL in the columns of this item.
   */
  readonly lateral?: (from: string, isOptional: boolean) => string;
  /** For a subquery that uses columns of items before it: the keys on which to join it with these items. */
  readonly matches?: readonly [left: string, right: string];
  /** The name of the correlation key of its rows, if they depend on outer rows. */
  readonly key?: string | undefined;
  /** Returns its SQL. Call it after everything that uses its columns has been compiled. */
  render(): string;
  /** Whether its SQL can be the right operand of a join without parentheses. */
  readonly simple: boolean;
}

/** A dataset in FROM, from which whole records can be selected. */
export interface RecordSource extends FromItem {
  /** Returns the name of one of the record's internal columns. */
  use(column: 'ingestedAt' | 'labelId' | 'raw' | 'recordId'): string;
  /** Returns the name of a column for an expression on a row of the dataset's table. */
  expression(sql: string): string;
}

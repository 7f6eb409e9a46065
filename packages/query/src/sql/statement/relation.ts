import type { Expression } from '../expression.ts';
import { findNamed, type NameLookup, type WrittenName } from './names.ts';

/** A column that a name can mean. */
export interface Column {
  readonly name: string;
  /** Its value; asking for it makes the relation read it. */
  get(at: number): Expression;
}

/** The name of the table that the functions of a select list are: nothing in a statement has a NUL character. */
export const hoistedFunctionsTable = '\0functions';

/** Something in FROM with a name of its own. */
export interface Relation {
  readonly id: number;
  /** The name it goes by in this statement. */
  readonly alias: string | undefined;
  /** What `*` stands for. */
  columns(): readonly Column[];
  /** What `*` behind its own name stands for, where that is more. */
  readonly own?: () => readonly Column[];
  /** Names that USING has merged with those of another relation: only with its alias do they mean this one's. */
  readonly merged?: ReadonlySet<string>;
  /** The column that a reference of one or more names means. */
  find(names: readonly WrittenName[]): NameLookup<Column>;
  /** What its own name means as a value, where its rows are single values. */
  readonly row?: Column;
}

/** The column of a single name among those that a relation has. */
export const findUniqueColumn = (
  columns: readonly Column[],
  [first, ...rest]: readonly WrittenName[],
): NameLookup<Column> =>
  first === undefined || rest.length > 0 ? undefined : findNamed(columns, ({ name }) => name, first);

/** A part of FROM: one relation, or several joined. */
export interface FromItem {
  readonly relations: readonly Relation[];
  /** Columns that tell its rows apart, by their names in the engine; rows that agree in all of them are alike. */
  tieBreakers(): string[];
  /**
   * Several rows for each row of `from`, when they are made out of that row, with the columns of both; `render` names the whole
   * then. Optional ones are at least one for each, if only of NULL.
   */
  readonly lateral?: (from: string, isOptional: boolean) => string;
  /** Of a subquery that names columns of the items before it: what rows of both have to agree in. */
  readonly matches?: readonly [left: string, right: string];
  /** Where its rows depend on rows around the query: the name of the key that they carry. */
  readonly key?: string | undefined;
  /** Its text, when all that names its columns has been compiled. */
  render(): string;
  /** Whether the text can stand at the right side of a join as it is. */
  readonly simple: boolean;
}

/** A dataset in FROM, whose whole records can be asked for. */
export interface RecordSource extends FromItem {
  /** The engine's name of one of the record's own columns. */
  use(column: 'ingestedAt' | 'labelId' | 'raw' | 'recordId'): string;
  /** The engine's name of a column made of an expression over a row of the dataset's table. */
  expression(sql: string): string;
}

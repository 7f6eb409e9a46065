import { RedoubtError } from '@redoubt/errors';
import { hasSqlDetails, loadModule, parseSync, type SelectStmt } from 'libpg-query';
import { invalidSql, UnsupportedSqlError, type SqlCompileError } from '../sql-compile-error.ts';
import { positionOf } from './sql-position.ts';
import { sourceNames, type WrittenName } from './names.ts';
import { requireKnownFields, unwrapNode } from './syntax.ts';

/**
 * Limits of one SQL statement. They keep parsing and compilation from exhausting time and memory; a statement beyond a
 * limit is rejected.
 */
export const sqlLimits = {
  /** UTF-16 code units of the statement. */
  length: 262_144,
  /** Nested objects of the syntax tree. PostgreSQL's parser itself stops at a few thousand. */
  depth: 600,
  /** Datasets that one statement reads, counted at each use. */
  tables: 64,
  /** Columns of one SELECT. */
  columns: 1600,
  /** Rows of VALUES. */
  values: 1000,
  /** UTF-16 code units of the compiled statement. */
  compiled: 2_000_000,
  /**
   * Levels of the engine's syntax tree. The engine stops at 1,000, and placeholders for hidden data may use some of
   * them.
   */
  compiledDepth: 900,
  /** UTF-16 code units of all intermediate expressions, including the expressions nested in them. */
  written: 50_000_000,
  /** Names generated during compilation. A query in WITH is compiled once for each use. */
  names: 50_000,
  /** Starts of comments, also inside literals: for each of them, the parser scans the rest of the text. */
  comments: 100,
} as const;

/** A statement parsed by PostgreSQL's own grammar, and its text. */
export interface ParsedSql {
  readonly select: SelectStmt;
  readonly text: string;
  /** The text as UTF-8. Locations in the tree are offsets in these bytes. */
  readonly bytes: Buffer;
}

/**
 * Parses a SQL statement with PostgreSQL's own grammar. It does not check whether Redoubt supports the statement;
 * `compileSql` does.
 * @throws RedoubtError SqlParseError for text that is not a single SELECT, or exceeds `sqlLimits`
 */
export async function parseSql(text: string): Promise<ParsedSql> {
  if (text.length > sqlLimits.length) {
    throw sqlParseError(
      `The statement has ${String(text.length)} characters; at most ${String(sqlLimits.length)} are accepted.`,
    );
  }
  if (text.trim() === '') throw sqlParseError('The statement is empty.');
  if (text.includes('\0')) throw sqlParseError('The statement holds a NUL character.');
  if (!text.isWellFormed()) throw sqlParseError('The statement holds half of a surrogate pair.');
  if (text.split('/*').length > sqlLimits.comments) {
    throw sqlParseError(`The statement has "/*" more than ${String(sqlLimits.comments)} times.`);
  }
  await loadModule();
  const bytes = Buffer.from(text);
  try {
    return { select: onlySelect(parsed(text), bytes), text, bytes };
  } catch (error) {
    throw toSqlError(error, bytes);
  }
}

/** Returns all names in FROM, which may be names of datasets or of WITH queries. */
export function listDatasetNames(parsed: ParsedSql): WrittenName[] {
  const names: WrittenName[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('RangeVar' in value) {
      const { relname = '', location = 0 } = value.RangeVar as { relname?: string; location?: number };
      names.push(...sourceNames(parsed, location, [relname]));
      return;
    }
    for (const part of Object.values(value)) visit(part);
  };
  visit(parsed.select);
  return names;
}

type Statements = ReturnType<typeof parseSync>['stmts'];

function parsed(text: string): Statements {
  const { stmts } = parseSync(text);
  checkDepth(stmts);
  return stmts;
}

function onlySelect(statements: Statements, bytes: Buffer): SelectStmt {
  const [first, second] = statements ?? [];
  if (first?.stmt === undefined) throw invalidSql('there is no statement in it', 0);
  if (second !== undefined)
    throw invalidSql(
      'only one statement is allowed, got several: send them one by one',
      second.stmt_location ?? bytes.length,
    );
  const [kind] = unwrapNode(first.stmt);
  if (!('SelectStmt' in first.stmt))
    throw invalidSql(`only SELECT is supported, got ${statementName(kind)}`, 0);
  requireKnownFields(first, ['stmt', 'stmt_len', 'stmt_location'], 'statement', 0);
  return first.stmt.SelectStmt;
}

/** Converts the kind of a node to the name of the statement: `DropStmt` becomes "DROP". */
const statementName = (kind: string): string =>
  kind
    .replace(/Stmt$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase();

/** Rejects trees that are too deep for the later code, which is recursive. This function itself is not. */
function checkDepth(root: unknown): void {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > sqlLimits.depth) throw invalidSql('it is nested too deeply', 0);
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null
        ? Object.values(value as Record<string, unknown>).filter((part) => typeof part === 'object')
        : [],
    );
  }
}

/** Converts a compile or parser error to the error of the API, with its position. */
export function toSqlError(error: unknown, bytes: Buffer): unknown {
  if (hasSqlDetails(error)) {
    const details = error.sqlDetails;
    const offset = details?.cursorPosition ?? 0;
    return new RedoubtError(
      'SqlParseError',
      `The statement does not parse: ${details?.message ?? 'syntax error'}${positionText(offset)}.`,
      { position: positionOf(bytes.toString(), offset) },
    );
  }
  if (isSqlCompileError(error)) {
    const offset = charactersBefore(bytes, error.at);
    const position = positionText(offset);
    const details = { position: positionOf(bytes.toString(), offset), hint: error.instead };
    if (error.kind === 'unsupported') {
      return new UnsupportedSqlError(
        `SQL: ${error.message} is not supported${position}. ${error.instead ?? ''}`.trimEnd(),
        details,
      );
    }
    return new RedoubtError(
      error.kind === 'unknown-table' ? 'TableNotFoundError' : 'SqlParseError',
      `SQL: ${error.message}${position}.`,
      details,
    );
  }
  if (error instanceof RangeError) return sqlParseError('The statement is nested too deeply.');
  return error;
}

const isSqlCompileError = (error: unknown): error is SqlCompileError =>
  error instanceof Error && error.name === 'SqlCompileError';

/** Counts code points, as PostgreSQL does. */
const charactersBefore = (bytes: Buffer, at: number): number =>
  Array.from(bytes.subarray(0, at).toString()).length;

const positionText = (offset: number): string => ` (character ${String(offset + 1)})`;

const sqlParseError = (message: string): RedoubtError => new RedoubtError('SqlParseError', message);

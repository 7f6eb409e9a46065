import { RedoubtError } from '@redoubt/errors';
import { hasSqlDetails, loadModule, parseSync, type SelectStmt } from 'libpg-query';
import { invalidSql, UnsupportedSqlError, type SqlCompileError } from '../sql-compile-error.ts';
import { sourceNames, type WrittenName } from './names.ts';
import { requireKnownFields, unwrapNode } from './syntax.ts';

export const sqlLimits = {
  /** UTF-16 units of the statement. */
  length: 262_144,
  /** Nested objects of the parsed statement. PostgreSQL's parser itself stops at some thousands. */
  depth: 600,
  /** Datasets read by one statement, each as often as it is named. */
  tables: 64,
  /** Columns of one SELECT. */
  columns: 1600,
  /** Rows of VALUES. */
  values: 1000,
  /** UTF-16 units of the statement that is made of it. */
  compiled: 2_000_000,
  /** Levels of the engine's tree of that: the engine itself stops at 1,000, and what is hidden makes some of them. */
  compiledDepth: 900,
  /** UTF-16 units of all expressions made on the way there, each with those inside it. */
  written: 50_000_000,
  /** Names given on the way there: a query named by WITH is compiled for each time that it is named. */
  names: 50_000,
  /** Starts of comments, in literals too: the parser reads the rest of the text for each. */
  comments: 100,
} as const;

/** The statement as PostgreSQL's own grammar reads it, and its text. */
export interface ParsedSql {
  readonly select: SelectStmt;
  readonly text: string;
  /** The text as the parser counts in it: a location is an offset in these bytes. */
  readonly bytes: Buffer;
}

/**
 * @throws RedoubtError SqlParseError for a text that is not one SELECT
 */
export async function parseSql(text: string): Promise<ParsedSql> {
  if (text.length > sqlLimits.length) {
    throw sqlParseError(
      `The statement has ${String(text.length)} characters; at most ${String(sqlLimits.length)} are taken.`,
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
  } catch (fault) {
    throw toSqlError(fault, bytes);
  }
}

/** The names of datasets that a statement may mean: each name in FROM, those of WITH among them. */
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
    throw invalidSql('only one statement is taken', second.stmt_location ?? bytes.length);
  const [kind] = unwrapNode(first.stmt);
  if (!('SelectStmt' in first.stmt))
    throw invalidSql(`only SELECT is taken, this is ${statementName(kind)}`, 0);
  requireKnownFields(first, ['stmt', 'stmt_len', 'stmt_location'], 'statement', 0);
  return first.stmt.SelectStmt;
}

/** `DropStmt` is called "DROP". */
const statementName = (kind: string): string =>
  kind
    .replace(/Stmt$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase();

/** Everything after this walks the tree by recursion, so its depth is bounded first, without recursion. */
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

/** What a caller reads of a fault: its sentence and where, counted in characters from 1. */
export function toSqlError(fault: unknown, bytes: Buffer): unknown {
  if (hasSqlDetails(fault)) {
    const details = fault.sqlDetails;
    return sqlParseError(
      `The statement does not parse: ${details?.message ?? 'syntax error'}${positionText((details?.cursorPosition ?? 0) + 1)}.`,
    );
  }
  if (isFault(fault)) {
    const position = positionText(characterAt(bytes, fault.at));
    if (fault.kind === 'unsupported') {
      return new UnsupportedSqlError(
        `SQL: ${fault.message} is not supported${position}. ${fault.instead ?? ''}`.trimEnd(),
      );
    }
    return new RedoubtError(
      fault.kind === 'unknown-table' ? 'TableNotFoundError' : 'SqlParseError',
      `SQL: ${fault.message}${position}.`,
    );
  }
  if (fault instanceof RangeError) return sqlParseError('The statement is nested too deeply.');
  return fault;
}

const isFault = (fault: unknown): fault is SqlCompileError =>
  fault instanceof Error && fault.name === 'SqlFault';

/** Counts code points, as PostgreSQL does. */
const characterAt = (bytes: Buffer, at: number): number =>
  Array.from(bytes.subarray(0, at).toString()).length + 1;

const positionText = (character: number): string => ` (character ${String(character)})`;

const sqlParseError = (message: string): RedoubtError => new RedoubtError('SqlParseError', message);

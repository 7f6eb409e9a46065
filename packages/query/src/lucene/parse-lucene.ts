import { addClause, joinClauses, type Conjunction, type Modifier } from './clauses.ts';
import {
  acceptText,
  acceptPattern,
  createCursor,
  createParseError,
  isAtEnd,
  luceneLimits,
  peekCharacter,
  skipSpace,
  type Cursor,
} from './cursor.ts';
import type { Clause, LuceneNode } from './lucene-node.ts';
import { parseExists, parseFieldName, parseValue, skipBoost } from './parse-value.ts';

/**
 * Reads a search in the classic Lucene syntax, with the default operator OR. Boosts are read and have no effect; fuzzy
 * words and distances are refused. A blank expression is an error: `*:*` is the search for everything.
 *
 * Throws LuceneParseError (400) that says at which character (1-based, code points) what was expected.
 */
export function parseLucene(expression: string): LuceneNode {
  const cursor = createCursor(expression);
  if (expression.length > luceneLimits.length) {
    throw createParseError(
      cursor,
      `expected an expression of at most ${String(luceneLimits.length)} characters.`,
    );
  }
  const tree = readClauses(cursor, null, 0);
  if (!isAtEnd(cursor))
    throw createParseError(cursor, 'expected ( before this ); write \\) for the character.');
  return tree;
}

const blank = 'expected a word, a phrase, a field or a group; write *:* for every record.';

/** Reads clauses up to the end or a closing parenthesis, which is left. */
function readClauses(cursor: Cursor, field: string | null, depth: number): LuceneNode {
  const clauses: Clause[] = [];
  skipSpace(cursor);
  while (clauses.length === 0 || (!isAtEnd(cursor) && peekCharacter(cursor) !== ')')) {
    if (clauses.length === 0 && (isAtEnd(cursor) || peekCharacter(cursor) === ')'))
      throw createParseError(cursor, blank);
    const conjunction = clauses.length === 0 ? 'none' : readConjunction(cursor);
    const modifier = readModifier(cursor);
    addClause(clauses, conjunction, modifier, readClause(cursor, field, depth));
    skipSpace(cursor);
  }
  return joinClauses(clauses);
}

/** A word that is an operator when it stands alone. */
const operator = /(?:AND|OR|NOT|&&|\|\|)(?=[\s!():^[\]"{}~]|$)/y;

const nextOperator = (cursor: Cursor): string => {
  operator.lastIndex = cursor.at;
  return operator.exec(cursor.text)?.[0] ?? '';
};

function readConjunction(cursor: Cursor): Conjunction {
  const next = nextOperator(cursor);
  if (next === '' || next === 'NOT') return 'none';
  cursor.at += next.length;
  skipSpace(cursor);
  return next === 'AND' || next === '&&' ? 'and' : 'or';
}

function readModifier(cursor: Cursor): Modifier {
  const found =
    nextOperator(cursor) === 'NOT' ? acceptPattern(cursor, /NOT/y) : acceptPattern(cursor, /[-+!]/y);
  if (found === '') return 'none';
  skipSpace(cursor);
  return found === '+' ? 'required' : 'prohibited';
}

function readClause(cursor: Cursor, inherited: string | null, depth: number): LuceneNode {
  cursor.clauses++;
  if (cursor.clauses > luceneLimits.clauses) {
    throw createParseError(cursor, `expected at most ${String(luceneLimits.clauses)} clauses.`);
  }
  const found = nextOperator(cursor);
  if (found !== '') {
    throw createParseError(
      cursor,
      `expected a word, a phrase, a field or a group; write "${found}" in double quotes for the word.`,
    );
  }
  const named = parseFieldName(cursor);
  const node = readFieldValue(cursor, named ?? inherited, named === '_exists_', depth);
  skipBoost(cursor);
  return node;
}

function readFieldValue(cursor: Cursor, field: string | null, isExists: boolean, depth: number): LuceneNode {
  if (isExists) return parseExists(cursor);
  const start = cursor.at;
  if (!acceptText(cursor, '(')) return readStar(cursor) ?? parseValue(cursor, field);
  if (depth >= luceneLimits.depth) {
    throw createParseError(
      cursor,
      `expected at most ${String(luceneLimits.depth)} groups inside each other.`,
      start,
    );
  }
  const group = readClauses(cursor, field, depth + 1);
  if (!acceptText(cursor, ')')) throw createParseError(cursor, 'expected a closing ) for this group.', start);
  return group;
}

/** Reads `*:*`, every record, also inside the group of a field. */
const readStar = (cursor: Cursor): LuceneNode | undefined =>
  acceptPattern(cursor, /\*:\*/y) === '' ? undefined : { type: 'all' };

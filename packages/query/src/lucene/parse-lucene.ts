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
 * Parses a search in the classic Lucene syntax, with the default operator OR.
 *
 *     parseLucene('name:london AND NOT type:ndb')
 *     // { type: 'boolean', clauses: [
 *     //   { occur: 'must', node: { type: 'term', at: 1, field: 'name', text: 'london' } },
 *     //   { occur: 'mustNot', node: { type: 'term', at: 21, field: 'type', text: 'ndb' } } ] }
 *
 * Boosts are accepted and have no effect. Fuzzy words and distances are rejected. A blank expression is an error; `*:*`
 * finds everything.
 * @throws LuceneParseError 400 with the 1-based position in code points, what was found and what was expected
 */
export function parseLucene(expression: string): LuceneNode {
  const cursor = createCursor(expression);
  if (expression.length > luceneLimits.length) {
    throw createParseError(
      cursor,
      `expected an expression of at most ${String(luceneLimits.length)} characters.`,
    );
  }
  const tree = parseClauses(cursor, null, 0);
  if (!isAtEnd(cursor))
    throw createParseError(cursor, 'expected ( before this ). For the character itself, write \\).');
  return tree;
}

const expectedClause = 'expected a word, a phrase, a field or a group. For all records, write *:*.';

/** Parses clauses up to the end or a closing parenthesis, without consuming the parenthesis. */
function parseClauses(cursor: Cursor, field: string | null, depth: number): LuceneNode {
  const clauses: Clause[] = [];
  skipSpace(cursor);
  while (clauses.length === 0 || (!isAtEnd(cursor) && peekCharacter(cursor) !== ')')) {
    if (clauses.length === 0 && (isAtEnd(cursor) || peekCharacter(cursor) === ')'))
      throw createParseError(cursor, expectedClause);
    const conjunction = clauses.length === 0 ? 'none' : parseConjunction(cursor);
    const modifier = parseModifier(cursor);
    addClause(clauses, conjunction, modifier, parseClause(cursor, field, depth));
    skipSpace(cursor);
  }
  return joinClauses(clauses);
}

/** An operator. It must be followed by white space, a special character or the end. */
const operator = /(?:AND|OR|NOT|&&|\|\|)(?=[\s!():^[\]"{}~]|$)/y;

const peekOperator = (cursor: Cursor): string => {
  operator.lastIndex = cursor.at;
  return operator.exec(cursor.text)?.[0] ?? '';
};

function parseConjunction(cursor: Cursor): Conjunction {
  const next = peekOperator(cursor);
  if (next === '' || next === 'NOT') return 'none';
  cursor.at += next.length;
  skipSpace(cursor);
  return next === 'AND' || next === '&&' ? 'and' : 'or';
}

function parseModifier(cursor: Cursor): Modifier {
  const found =
    peekOperator(cursor) === 'NOT' ? acceptPattern(cursor, /NOT/y) : acceptPattern(cursor, /[-+!]/y);
  if (found === '') return 'none';
  skipSpace(cursor);
  return found === '+' ? 'required' : 'prohibited';
}

function parseClause(cursor: Cursor, inheritedField: string | null, depth: number): LuceneNode {
  cursor.clauses++;
  if (cursor.clauses > luceneLimits.clauses) {
    throw createParseError(cursor, `expected at most ${String(luceneLimits.clauses)} clauses.`);
  }
  const found = peekOperator(cursor);
  if (found !== '') {
    throw createParseError(
      cursor,
      `expected a word, a phrase, a field or a group. To search for the word, write "${found}" in double quotes.`,
    );
  }
  const field = parseFieldName(cursor);
  const node = parseFieldValue(cursor, field ?? inheritedField, field === '_exists_', depth);
  skipBoost(cursor);
  return node;
}

function parseFieldValue(cursor: Cursor, field: string | null, isExists: boolean, depth: number): LuceneNode {
  if (isExists) return parseExists(cursor);
  const start = cursor.at;
  if (!acceptText(cursor, '(')) return parseMatchAll(cursor) ?? parseValue(cursor, field);
  if (depth >= luceneLimits.depth) {
    throw createParseError(cursor, `expected at most ${String(luceneLimits.depth)} nested groups.`, start);
  }
  const group = parseClauses(cursor, field, depth + 1);
  if (!acceptText(cursor, ')')) throw createParseError(cursor, 'expected a closing ) for this group.', start);
  return group;
}

/** Parses `*:*`, which means every record even inside the group of a field. */
const parseMatchAll = (cursor: Cursor): LuceneNode | undefined =>
  acceptPattern(cursor, /\*:\*/y) === '' ? undefined : { type: 'all' };

import { findAttributeError, escapeAttribute, upperCaseAttribute } from './attribute.ts';
import type { LabelCondition, LabelExpression } from './label-expression.ts';
import { LabelSyntaxError } from './label-syntax-error.ts';
import { maxLabelDepth, maxLabelLength } from './limits.ts';

/** The text and the position up to which it is parsed. */
interface Cursor {
  readonly text: string;
  position: number;
}

const operators = { '&': 'and', '|': 'or' } as const;
type Operator = keyof typeof operators;

const isOperator = (character: string | undefined): character is Operator =>
  character === '&' || character === '|';

const syntaxError = (cursor: Cursor, expected: string): LabelSyntaxError =>
  new LabelSyntaxError('label', cursor.text, cursor.position, expected);

/** Throws at the first invalid character if the token that starts at `start` is not a valid attribute. */
function checkAttribute(cursor: Cursor, token: string, start: number): void {
  const error = findAttributeError(token);
  if (error === undefined) return;
  cursor.position = start + escapeAttribute(token.slice(0, error.at)).length;
  throw syntaxError(cursor, error.expected);
}

const unquoted = /[A-Za-z0-9_\-.:/]+/y;

function parseUnquoted(cursor: Cursor): string {
  unquoted.lastIndex = cursor.position;
  const token = unquoted.exec(cursor.text)?.[0];
  if (token === undefined) {
    throw syntaxError(
      cursor,
      'an attribute (letters, digits and _ - . : /, or any characters in double quotes) or "("',
    );
  }
  checkAttribute(cursor, token, cursor.position);
  cursor.position += token.length;
  return token;
}

/** Parses `"…"`. The only escapes are `\"` and `\\`. */
function parseQuoted(cursor: Cursor): string {
  cursor.position += 1;
  const start = cursor.position;
  let token = '';
  for (;;) {
    let character = cursor.text[cursor.position];
    if (character === undefined) throw syntaxError(cursor, 'the closing double quote');
    if (character === '"') break;
    if (character === '\\') {
      cursor.position += 1;
      character = cursor.text[cursor.position];
      if (character !== '"' && character !== '\\')
        throw syntaxError(cursor, '\\" or \\\\ as the only escapes');
    }
    token += character;
    cursor.position += 1;
  }
  checkAttribute(cursor, token, start);
  cursor.position += 1;
  return token;
}

function parseOperand(cursor: Cursor, depth: number): LabelCondition {
  const character = cursor.text[cursor.position];
  if (character === '(') return parseGroup(cursor, depth + 1);
  const token = character === '"' ? parseQuoted(cursor) : parseUnquoted(cursor);
  return { kind: 'attribute', attribute: upperCaseAttribute(token) };
}

function parseGroup(cursor: Cursor, depth: number): LabelCondition {
  if (depth > maxLabelDepth) throw syntaxError(cursor, `at most ${maxLabelDepth} nested parentheses`);
  cursor.position += 1;
  const condition = parseCondition(cursor, depth, '")"');
  cursor.position += 1;
  return condition;
}

/** Parses operands joined by one operator, up to `end`, and leaves `end` for the caller. */
function parseCondition(cursor: Cursor, depth: number, end: '")"' | 'the end'): LabelCondition {
  const first = parseOperand(cursor, depth);
  const operator = cursor.text[cursor.position];
  if (!isOperator(operator)) {
    expectEnd(cursor, `"&", "|" or ${end}`, end);
    return first;
  }
  const operands: [LabelCondition, ...LabelCondition[]] = [first];
  while (cursor.text[cursor.position] === operator) {
    cursor.position += 1;
    operands.push(parseOperand(cursor, depth));
  }
  expectEnd(cursor, `"${operator}" or ${end} (combine & and | with parentheses)`, end);
  return { kind: operators[operator], operands };
}

function expectEnd(cursor: Cursor, expected: string, end: '")"' | 'the end'): void {
  if (cursor.text[cursor.position] !== (end === '")"' ? ')' : undefined)) throw syntaxError(cursor, expected);
}

/**
 * Parses a security label such as `A&(B|"two words")`.
 *
 *     const label = parseLabel('hr&(berlin|paris)');
 *     evaluateLabel(label, new Set(['HR', 'PARIS'])); // true
 *     toCanonicalLabel(label); // '(BERLIN|PARIS)&HR'
 *
 * The grammar is that of Accumulo's access expressions
 * (https://github.com/apache/accumulo-access/blob/main/SPECIFICATION.md): attributes, `&`, `|` and parentheses.
 * Mixing `&` and `|` requires parentheses, there is no NOT, and white space is allowed only inside quotes. The letters
 * a-z of attributes are upper-cased. The empty text is the empty label.
 * @throws LabelSyntaxError for any other text, and for text beyond the limits in `limits.ts`
 */
export function parseLabel(text: string): LabelExpression {
  if (text === '') return { kind: 'empty' };
  const cursor: Cursor = { text, position: 0 };
  if (text.length > maxLabelLength) {
    cursor.position = maxLabelLength;
    throw syntaxError(cursor, `at most ${maxLabelLength} characters in a label`);
  }
  return parseCondition(cursor, 0, 'the end');
}

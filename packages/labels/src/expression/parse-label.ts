import { findAttributeError, escapeAttribute, upperCaseAttribute } from './attribute.ts';
import type { LabelCondition, LabelExpression } from './label-expression.ts';
import { LabelSyntaxError } from './label-syntax-error.ts';
import { maxLabelDepth, maxLabelLength } from './limits.ts';

/** The text that is read, and how far. */
interface Cursor {
  readonly text: string;
  position: number;
}

const operators = { '&': 'and', '|': 'or' } as const;
type Operator = keyof typeof operators;

const isOperator = (character: string | undefined): character is Operator =>
  character === '&' || character === '|';

const fault = (cursor: Cursor, expected: string): LabelSyntaxError =>
  new LabelSyntaxError('Label', cursor.text, cursor.position, expected);

/** Fails if the token that starts at `start` can be no attribute, at the character that is at fault. */
function checkAttribute(cursor: Cursor, token: string, start: number): void {
  const wrong = findAttributeError(token);
  if (wrong === undefined) return;
  cursor.position = start + escapeAttribute(token.slice(0, wrong.at)).length;
  throw fault(cursor, wrong.expected);
}

const unquoted = /[A-Za-z0-9_\-.:/]+/y;

function readUnquoted(cursor: Cursor): string {
  unquoted.lastIndex = cursor.position;
  const token = unquoted.exec(cursor.text)?.[0];
  if (token === undefined) {
    throw fault(
      cursor,
      'an attribute (letters, digits and _ - . : /, or any characters in double quotes) or "("',
    );
  }
  checkAttribute(cursor, token, cursor.position);
  cursor.position += token.length;
  return token;
}

/** Reads `"…"`, with the escapes `\"` and `\\` and no others. */
function readQuoted(cursor: Cursor): string {
  cursor.position += 1;
  const start = cursor.position;
  let token = '';
  for (;;) {
    let character = cursor.text[cursor.position];
    if (character === undefined) throw fault(cursor, 'the closing double quote');
    if (character === '"') break;
    if (character === '\\') {
      cursor.position += 1;
      character = cursor.text[cursor.position];
      if (character !== '"' && character !== '\\') throw fault(cursor, '\\" or \\\\ as the only escapes');
    }
    token += character;
    cursor.position += 1;
  }
  checkAttribute(cursor, token, start);
  cursor.position += 1;
  return token;
}

function readOperand(cursor: Cursor, depth: number): LabelCondition {
  const character = cursor.text[cursor.position];
  if (character === '(') return readGroup(cursor, depth + 1);
  const token = character === '"' ? readQuoted(cursor) : readUnquoted(cursor);
  return { kind: 'attribute', attribute: upperCaseAttribute(token) };
}

function readGroup(cursor: Cursor, depth: number): LabelCondition {
  if (depth > maxLabelDepth) throw fault(cursor, `at most ${maxLabelDepth} parentheses inside each other`);
  cursor.position += 1;
  const condition = readCondition(cursor, depth, '")"');
  cursor.position += 1;
  return condition;
}

/** Reads operands joined by one operator, up to `end`, which is left for whoever called. */
function readCondition(cursor: Cursor, depth: number, end: '")"' | 'the end'): LabelCondition {
  const first = readOperand(cursor, depth);
  const operator = cursor.text[cursor.position];
  if (!isOperator(operator)) {
    expectEnd(cursor, `"&", "|" or ${end}`, end);
    return first;
  }
  const operands: [LabelCondition, ...LabelCondition[]] = [first];
  while (cursor.text[cursor.position] === operator) {
    cursor.position += 1;
    operands.push(readOperand(cursor, depth));
  }
  expectEnd(cursor, `"${operator}" or ${end} (parentheses say how & and | belong together)`, end);
  return { kind: operators[operator], operands };
}

function expectEnd(cursor: Cursor, expected: string, end: '")"' | 'the end'): void {
  if (cursor.text[cursor.position] !== (end === '")"' ? ')' : undefined)) throw fault(cursor, expected);
}

/**
 * Reads a security label. The grammar is that of Accumulo's access expressions
 * (https://github.com/apache/accumulo-access/blob/main/SPECIFICATION.md): attributes, `&`, `|` and parentheses;
 * `&` and `|` mixed only with parentheses; no NOT; white space only inside quotes. The letters a-z of attributes
 * are upper-cased, and attributes have at most 256 characters without control characters. The empty text is the
 * empty label. Throws LabelSyntaxError for anything else.
 */
export function parseLabel(text: string): LabelExpression {
  if (text === '') return { kind: 'empty' };
  const cursor: Cursor = { text, position: 0 };
  if (text.length > maxLabelLength) {
    cursor.position = maxLabelLength;
    throw fault(cursor, `at most ${maxLabelLength} characters in a label`);
  }
  return readCondition(cursor, 0, 'the end');
}

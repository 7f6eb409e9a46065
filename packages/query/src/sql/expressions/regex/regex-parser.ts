import type { CodeRange } from '../../../values/re2-text.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { anyCharacter, complement, addCaseVariants, mergeRanges } from './code-ranges.ts';
import { alphanumericRanges } from '../text/alphanumeric-ranges.ts';
import type { RegexNode } from './regex-node.ts';

const spaces: readonly CodeRange[] = [
  [0x9, 0xd],
  [0x20, 0x20],
  [0x1680, 0x1680],
  [0x2000, 0x2006],
  [0x2008, 0x200a],
  [0x2028, 0x2029],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];
const digits: readonly CodeRange[] = [[0x30, 0x39]];

/** Named character classes. */
const classes: Readonly<Record<string, readonly CodeRange[]>> = {
  alnum: alphanumericRanges,
  digit: digits,
  space: spaces,
  xdigit: [...digits, [0x41, 0x46], [0x61, 0x66]],
  word: mergeRanges([...alphanumericRanges, [0x5f, 0x5f]]),
};
const otherClasses = new Set([
  'alpha',
  'blank',
  'cntrl',
  'graph',
  'lower',
  'print',
  'punct',
  'upper',
  'ascii',
]);

const letterClasses: Readonly<Record<string, readonly CodeRange[] | undefined>> = {
  d: classes['digit'],
  s: classes['space'],
  w: classes['word'],
  D: complement(digits),
  S: complement(spaces),
  W: complement(classes['word'] ?? []),
};

const controls: Readonly<Record<string, number | undefined>> = {
  a: 7,
  b: 8,
  B: 0x5c,
  e: 0x1b,
  f: 0xc,
  n: 0xa,
  r: 0xd,
  t: 9,
  v: 0xb,
};

/** PostgreSQL's maximum number of repetitions. */
const maxRepetitions = 255;
/** Larger ranges are rejected when letter case is ignored, because each letter needs its other case. */
const maxRange = 3000;
const maxDepth = 100;

const codeOf = (character: string): number => character.codePointAt(0) ?? 0;

/**
 * Parses an advanced regular expression of PostgreSQL.
 * @throws SqlCompileError for what PostgreSQL rejects, and for back references, lookaround, word boundaries and options
 */
export function parseRegex(pattern: string, anyCase: boolean, at: number): RegexNode {
  const text = Array.from(pattern);
  let place = 0;
  let depth = 0;

  const peek = (ahead = 0): string | undefined => text[place + ahead];
  const syntaxError = (why: string): Error =>
    invalidSql(`invalid regular expression "${pattern}": ${why}`, at);
  const refuse = (what: string, instead: string): Error =>
    unsupportedSql(`${what} in a regular expression`, at, instead);

  const single = (code: number): RegexNode => ({
    type: 'set',
    ranges: anyCase ? addCaseVariants([[code, code]]) : [[code, code]],
  });

  const endsBranch = (): boolean => {
    const next = peek();
    return next === undefined || next === '|' || (next === ')' && depth > 0);
  };

  function branch(): RegexNode {
    const items: RegexNode[] = [];
    while (!endsBranch()) items.push(quantified());
    return items.length === 1 && items[0] !== undefined ? items[0] : { type: 'sequence', items };
  }

  function either(): RegexNode {
    const options = [branch()];
    while (peek() === '|') {
      place += 1;
      options.push(branch());
    }
    return options.length === 1 && options[0] !== undefined ? options[0] : { type: 'either', options };
  }

  function quantified(): RegexNode {
    const item = atom();
    const bounds = quantifier();
    if (bounds === undefined) return item;
    if (item.type === 'anchor') throw syntaxError('quantifier operand invalid');
    const lazy = peek() === '?';
    if (lazy) place += 1;
    if (quantifier() !== undefined) throw syntaxError('quantifier operand invalid');
    return { type: 'repeat', item, ...bounds, lazy };
  }

  function quantifier(): { min: number; max: number | null } | undefined {
    const sign = peek();
    if (sign === '*' || sign === '+' || sign === '?') {
      place += 1;
      return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : null };
    }
    if (sign !== '{' || !/\d/.test(peek(1) ?? '')) return undefined;
    const match = /^\{(\d{1,3})(?:(,)(\d{0,3}))?\}/.exec(text.slice(place, place + 9).join(''));
    if (match === null) throw syntaxError('invalid repetition count(s)');
    place += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === '' ? null : Number(match[3]);
    if (min > maxRepetitions || (max !== null && (max > maxRepetitions || max < min))) {
      throw syntaxError('invalid repetition count(s)');
    }
    return { min, max };
  }

  function atom(): RegexNode {
    const sign = peek() ?? '';
    if (quantifier() !== undefined) throw syntaxError('quantifier operand invalid');
    place += 1;
    switch (sign) {
      case '(':
        return group();
      case '[':
        return bracket();
      case '.':
        return { type: 'set', ranges: anyCharacter };
      case '^':
        return { type: 'anchor', end: false };
      case '$':
        return { type: 'anchor', end: true };
      case '\\':
        return escaped();
      default:
        return single(codeOf(sign));
    }
  }

  function group(): RegexNode {
    const captured = peek() !== '?';
    if (!captured) {
      if (peek(1) !== ':') {
        throw /[=!<]/.test(peek(1) ?? '')
          ? refuse('look-around', 'Join two conditions by AND instead.')
          : refuse('an embedded option', 'Use ~* for any case of letters, or an argument for flags.');
      }
      place += 2;
    }
    depth += 1;
    if (depth > maxDepth)
      throw refuse(`more than ${String(maxDepth)} nested groups`, 'Write it with fewer groups.');
    const item = either();
    if (peek() !== ')') throw syntaxError('parentheses () not balanced');
    place += 1;
    depth -= 1;
    return captured ? { type: 'group', item } : item;
  }

  function escaped(): RegexNode {
    const letter = peek();
    if (letter === undefined) throw syntaxError('invalid escape \\ sequence');
    const ranges = letterClasses[letter];
    if (ranges !== undefined) {
      place += 1;
      return { type: 'set', ranges };
    }
    if (letter === 'A' || letter === 'Z') {
      place += 1;
      return { type: 'anchor', end: letter === 'Z' };
    }
    if (/[mMyY]/.test(letter))
      throw refuse(
        'a boundary of words',
        'Write the characters around the word, as in (^|[^a-z])word([^a-z]|$).',
      );
    if (/[1-9]/.test(letter)) throw refuse('a back reference', 'Write out what it stands for.');
    return single(escapedCode());
  }

  /** Parses the character of an escape. `place` is behind the backslash. */
  function escapedCode(): number {
    const letter = peek() ?? '';
    place += 1;
    const control = controls[letter];
    if (control !== undefined) return control;
    const hexadecimal = letter === 'u' ? 4 : letter === 'U' ? 8 : undefined;
    if (hexadecimal !== undefined) {
      const digitsText = text.slice(place, place + hexadecimal).join('');
      if (!new RegExp(`^[0-9a-fA-F]{${String(hexadecimal)}}$`).test(digitsText)) {
        throw syntaxError('invalid escape \\ sequence');
      }
      place += hexadecimal;
      const code = parseInt(digitsText, 16);
      if (code > 0x10ffff) throw syntaxError('invalid escape \\ sequence');
      return code;
    }
    if (/[cx0-9]/.test(letter))
      throw refuse(
        `the escape \\${letter}`,
        'Write the character itself, or \\u and four hexadecimal digits.',
      );
    if (/[a-zA-Z]/.test(letter) || letter === '') throw syntaxError('invalid escape \\ sequence');
    return codeOf(letter);
  }

  function bracket(): RegexNode {
    const negated = peek() === '^';
    if (negated) place += 1;
    const ranges: CodeRange[] = [];
    for (let first = true; first || peek() !== ']'; first = false) {
      if (place >= text.length) throw syntaxError('brackets [] not balanced');
      const start = element();
      if (typeof start !== 'number') {
        ranges.push(...start);
        if (peek() === '-' && peek(1) !== ']') throw syntaxError('invalid character range');
      } else if (peek() === '-' && peek(1) !== ']' && peek(1) !== undefined) {
        place += 1;
        const end = element();
        if (typeof end !== 'number' || end < start) throw syntaxError('invalid character range');
        ranges.push([start, end]);
        if (peek() === '-' && peek(1) !== ']') throw syntaxError('invalid character range');
      } else {
        ranges.push([start, start]);
      }
    }
    place += 1;
    const wide = anyCase && ranges.some(([from, to]) => to - from > maxRange);
    if (wide)
      throw refuse(
        'a large range of characters in any case',
        'Use a smaller range, or compare lower(text) with the operator ~.',
      );
    const all = anyCase ? addCaseVariants(ranges) : mergeRanges(ranges);
    return { type: 'set', ranges: negated ? complement(all) : all };
  }

  /** Parses a character or class inside brackets. */
  function element(): number | readonly CodeRange[] {
    const character = peek() ?? '';
    if (character === '[' && /[.:=]/.test(peek(1) ?? '')) return namedClass();
    place += 1;
    if (character !== '\\') return codeOf(character);
    const ranges = letterClasses[peek() ?? ''];
    if (ranges === undefined) {
      if (/[AZmMyY]/.test(peek() ?? '')) throw syntaxError('invalid escape \\ sequence');
      return escapedCode();
    }
    if (/[DSW]/.test(peek() ?? ''))
      throw refuse('a negated class in brackets', 'Write the class outside of brackets, as in (\\D|x).');
    place += 1;
    return ranges;
  }

  function namedClass(): readonly CodeRange[] {
    const match = /^\[:([a-z]*):\]/.exec(text.slice(place, place + 12).join(''));
    if (match === null) throw refuse('a collating element', 'Write the character itself.');
    const [whole, name = ''] = match;
    const found = Object.hasOwn(classes, name) ? classes[name] : undefined;
    if (found === undefined) {
      throw otherClasses.has(name)
        ? refuse(`the class [:${name}:]`, 'Write the characters, as in [a-z].')
        : syntaxError('invalid character class');
    }
    place += whole.length;
    return found;
  }

  if (pattern.startsWith('***')) throw refuse('a director (***)', 'Leave it out.');
  if (pattern.startsWith('(?') && /[a-z]/.test(peek(2) ?? ''))
    throw refuse('an embedded option', 'Use ~* for any case of letters, or an argument for flags.');
  const node = either();
  if (place < text.length) throw syntaxError('parentheses () not balanced');
  return node;
}

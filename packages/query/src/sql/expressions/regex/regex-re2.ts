import { unsupportedSql } from '../../sql-compile-error.ts';
import { classText, lastCode, quantifierText, type CodeRange } from '../../../values/re2-text.ts';
import { overlap } from './code-ranges.ts';
import type { RegexNode } from './regex-node.ts';

const anyCharacterText = '(?s:.)';

function setText(ranges: readonly CodeRange[]): string {
  const [only] = ranges;
  return only?.[0] === 0 && only[1] === lastCode ? anyCharacterText : classText(ranges);
}

/**
 * Prints the expression in RE2 syntax.
 * @param captures whether groups stay capturing
 */
export function printPostgresRegexAsRe2(node: RegexNode, captures: 'captures' | 'none'): string {
  const write = (one: RegexNode): string => printPostgresRegexAsRe2(one, captures);
  switch (node.type) {
    case 'set':
      return setText(node.ranges);
    case 'anchor':
      return node.end ? '\\z' : '\\A';
    case 'sequence':
      return `(?:${node.items.map(write).join('')})`;
    case 'either':
      return `(?:${node.options.map(write).join('|')})`;
    case 'repeat':
      return node.max === 0 ? '(?:)' : `(?:${write(node.item)})${quantifierText(node.min, node.max)}`;
    case 'group':
      return `(${captures === 'captures' ? '' : '?:'}${write(node.item)})`;
  }
}

/** Estimates the size of the engine's program for the expression. */
function size(node: RegexNode): number {
  switch (node.type) {
    case 'set':
      return 1 + 2 * node.ranges.length;
    case 'anchor':
      return 1;
    case 'sequence':
      return node.items.reduce((sum, item) => sum + size(item), 1);
    case 'either':
      return node.options.reduce((sum, option) => sum + size(option), 1);
    case 'repeat':
      return 1 + size(node.item) * Math.max(node.max ?? node.min + 1, 1);
    case 'group':
      return 1 + size(node.item);
  }
}

const repetitions = (node: RegexNode): number => {
  switch (node.type) {
    case 'set':
    case 'anchor':
      return 1;
    case 'sequence':
      return Math.max(1, ...node.items.map(repetitions));
    case 'either':
      return Math.max(1, ...node.options.map(repetitions));
    case 'repeat':
      return Math.max(node.max ?? node.min, 1) * repetitions(node.item);
    case 'group':
      return repetitions(node.item);
  }
};

const maxSize = 40_000;
/** RE2's limit of repetitions, for the product of nested quantifiers. */
const maxRepetitions = 1000;

/** Rejects expressions that the engine would not compile. */
export function checkSize(node: RegexNode, at: number): void {
  if (size(node) > maxSize || repetitions(node) > maxRepetitions) {
    throw unsupportedSql(
      'a regular expression of this size',
      at,
      'Write a shorter one, or several that are joined by OR.',
    );
  }
}

type Set = readonly CodeRange[];

interface Ends {
  readonly nullable: boolean;
  readonly first: readonly Set[];
  /** For each set with which a match can end: the list of the sets that can follow. */
  readonly last: readonly Set[][];
}

/**
 * Whether the next character always determines how the match continues. Then RE2 finds the longest match, which is the
 * match of PostgreSQL.
 */
export function isUnambiguous(node: RegexNode): boolean {
  const follows: Set[][] = [];
  const join = (last: readonly Set[][], first: readonly Set[]): void => {
    for (const follow of last) follow.push(...first);
  };
  const visit = (one: RegexNode): Ends | undefined => {
    switch (one.type) {
      case 'set': {
        const follow: Set[] = [];
        follows.push(follow);
        return { nullable: false, first: [one.ranges], last: [follow] };
      }
      case 'anchor':
        return { nullable: true, first: [], last: [] };
      case 'group':
        return visit(one.item);
      case 'sequence':
        return sequence(one.items);
      case 'either': {
        const parts = one.options.map(visit);
        if (parts.includes(undefined)) return undefined;
        const known = parts.filter((part) => part !== undefined);
        if (known.filter(({ nullable }) => nullable).length > 0) return undefined;
        return {
          nullable: false,
          first: known.flatMap(({ first }) => first),
          last: known.flatMap(({ last }) => last),
        };
      }
      case 'repeat': {
        const item = visit(one.item);
        if (item === undefined || item.nullable || one.lazy) return undefined;
        if (one.max !== 1) join(item.last, item.first);
        return { ...item, nullable: one.min === 0 };
      }
    }
  };
  const sequence = (items: readonly RegexNode[]): Ends | undefined => {
    let all: Ends = { nullable: true, first: [], last: [] };
    for (const item of items) {
      const next = visit(item);
      if (next === undefined) return undefined;
      join(all.last, next.first);
      all = {
        nullable: all.nullable && next.nullable,
        first: all.nullable ? [...all.first, ...next.first] : all.first,
        last: next.nullable ? [...all.last, ...next.last] : next.last,
      };
    }
    return all;
  };
  const whole = visit(node);
  const apart = (sets: readonly Set[]): boolean =>
    sets.every((a, index) => sets.slice(index + 1).every((b) => !overlap(a, b)));
  return whole !== undefined && apart(whole.first) && follows.every(apart);
}

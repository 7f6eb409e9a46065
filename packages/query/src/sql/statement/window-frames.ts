import type { Node, WindowDef } from 'libpg-query';
import { unsupportedSql } from '../sql-compile-error.ts';
import { rowsHint } from '../instead.ts';
import { requireIntegerConstant } from './syntax.ts';

/** The bits in `frameOptions` of PostgreSQL's parser. */
const bits = {
  nonDefault: 0x1,
  range: 0x2,
  rows: 0x4,
  groups: 0x8,
  exclude: 0x3_80_00,
} as const;

interface Bound {
  readonly unbounded: number;
  /** The SQL of an unbounded bound. */
  readonly text: string;
  readonly current: number;
  readonly preceding: number;
  readonly following: number;
}

const startBits: Bound = {
  unbounded: 0x20,
  text: 'UNBOUNDED PRECEDING',
  current: 0x2_00,
  preceding: 0x8_00,
  following: 0x20_00,
};

const endBits: Bound = {
  unbounded: 0x1_00,
  text: 'UNBOUNDED FOLLOWING',
  current: 0x4_00,
  preceding: 0x10_00,
  following: 0x40_00,
};

/** The frame of a window function. */
export interface Frame {
  readonly unit: 'RANGE' | 'ROWS';
  /** Whether the statement specifies it. */
  readonly written: boolean;
  readonly start: string;
  readonly end: string;
}

export function frameOf({ frameOptions = 0, startOffset, endOffset }: WindowDef, at: number): Frame {
  const has = (bit: number): boolean => (frameOptions & bit) !== 0;
  if (has(bits.groups)) throw unsupportedSql('a frame of GROUPS', at, rowsHint);
  if (has(bits.exclude))
    throw unsupportedSql('EXCLUDE in a frame', at, 'Leave EXCLUDE out, and subtract the row itself.');
  const unit = has(bits.rows) ? 'ROWS' : 'RANGE';
  const distance = (node: Node | undefined): string => {
    if (unit === 'RANGE') throw unsupportedSql('a frame of RANGE with a distance', at, rowsHint);
    if (node === undefined) throw new Error('A frame with a distance has one.');
    return String(requireIntegerConstant(node, 'a distance in a frame', at));
  };
  const bound = (
    { unbounded, text, current, preceding, following }: Bound,
    node: Node | undefined,
  ): string => {
    if (has(unbounded)) return text;
    if (has(current)) return 'CURRENT ROW';
    if (has(preceding)) return `${distance(node)} PRECEDING`;
    if (has(following)) return `${distance(node)} FOLLOWING`;
    throw unsupportedSql('this frame', at, rowsHint);
  };
  return {
    unit,
    written: has(bits.nonDefault),
    start: bound(startBits, startOffset),
    end: bound(endBits, endOffset),
  };
}

import type { Node, WindowDef } from 'libpg-query';
import { unsupported } from '../fault.ts';
import type { Scope } from './compilation.ts';
import { wholeConstant } from './syntax.ts';

/** The bits that PostgreSQL's parser puts into `frameOptions`. */
const bits = {
  nonDefault: 0x1,
  range: 0x2,
  rows: 0x4,
  groups: 0x8,
  startUnboundedPreceding: 0x20,
  endUnboundedFollowing: 0x100,
  startCurrentRow: 0x200,
  endCurrentRow: 0x400,
  startPreceding: 0x8_00,
  endPreceding: 0x10_00,
  startFollowing: 0x20_00,
  endFollowing: 0x40_00,
  exclude: 0x3_80_00,
} as const;

/** The rows around the current one that a window function sees. */
export interface Frame {
  readonly unit: 'RANGE' | 'ROWS';
  /** Whether the statement says it. */
  readonly written: boolean;
  readonly start: string;
  readonly end: string;
}

export function frameOf(
  { frameOptions = 0, startOffset, endOffset }: WindowDef,
  _scope: Scope,
  at: number,
): Frame {
  const has = (bit: number): boolean => (frameOptions & bit) !== 0;
  if (has(bits.groups)) throw unsupported('a frame of GROUPS', at);
  if (has(bits.exclude)) throw unsupported('EXCLUDE in a frame', at);
  const unit = has(bits.rows) ? 'ROWS' : 'RANGE';
  const offset = (node: Node | undefined, direction: string): string => {
    if (unit === 'RANGE') throw unsupported('a frame of RANGE with a distance', at);
    if (node === undefined) throw new Error('A frame with a distance has one.');
    return `${String(wholeConstant(node, 'a distance in a frame', at))} ${direction}`;
  };
  const start = (): string => {
    if (has(bits.startUnboundedPreceding)) return 'UNBOUNDED PRECEDING';
    if (has(bits.startCurrentRow)) return 'CURRENT ROW';
    if (has(bits.startPreceding)) return offset(startOffset, 'PRECEDING');
    if (has(bits.startFollowing)) return offset(startOffset, 'FOLLOWING');
    throw unsupported('this frame', at);
  };
  const end = (): string => {
    if (has(bits.endUnboundedFollowing)) return 'UNBOUNDED FOLLOWING';
    if (has(bits.endCurrentRow)) return 'CURRENT ROW';
    if (has(bits.endPreceding)) return offset(endOffset, 'PRECEDING');
    if (has(bits.endFollowing)) return offset(endOffset, 'FOLLOWING');
    throw unsupported('this frame', at);
  };
  return { unit, written: has(bits.nonDefault), start: start(), end: end() };
}

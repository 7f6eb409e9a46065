import { textOf } from './output.ts';
import type { CastRule } from './rule.ts';
import { cut } from './text-casts.ts';

const printed = [
  'boolean',
  'smallint',
  'integer',
  'bigint',
  'numeric',
  'double precision',
  'date',
  'timestamp',
  'timestamptz',
  'interval',
  'jsonb',
  'array',
] as const;

/** Every value has a text. */
export const printCasts: readonly CastRule[] = printed.map((from) => ({
  from,
  to: 'text',
  convert: (value, target) => cut(textOf(value), target),
}));

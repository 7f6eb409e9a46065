import { castToText } from '../json/print-json.ts';
import type { CastRule } from '../function-rule.ts';
import { truncateVarchar } from './text-casts.ts';

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

/** Casts of all types to text. */
export const textOutputCasts: readonly CastRule[] = printed.map((from) => ({
  from,
  to: 'text',
  convert: (value, target) => truncateVarchar(castToText(value), target),
}));

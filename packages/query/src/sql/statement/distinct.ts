import type { SelectStmt } from 'libpg-query';
import { groupKey } from '../expressions/ordering.ts';
import { unsupported } from '../fault.ts';
import type { Compilation } from './compilation.ts';
import { locationOf } from './syntax.ts';
import type { Output } from './targets.ts';

const isDistinct = ({ distinctClause }: SelectStmt): boolean => distinctClause !== undefined;

/** Refuses DISTINCT ON; a plain DISTINCT is parsed as a list of one empty node. */
export function distinctText(statement: SelectStmt): string {
  const [on] = statement.distinctClause ?? [];
  if (on !== undefined && Object.keys(on).length > 0) throw unsupported('DISTINCT ON', locationOf(on));
  return isDistinct(statement) ? 'DISTINCT ' : '';
}

/** Output columns with their names in the engine; where equal ones are made one, what is equal is written alike. */
export const distinctOutputs = (
  statement: SelectStmt,
  outputs: readonly Output[],
  compilation: Compilation,
): (Output & { column: string })[] =>
  outputs.map(({ name, value }) => ({
    name,
    value: isDistinct(statement) ? { ...value, sql: groupKey(value) } : value,
    column: compilation.name(),
  }));

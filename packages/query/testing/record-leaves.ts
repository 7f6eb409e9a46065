import { numberValue } from '../src/values/numbers.ts';

/** A value that searches can match. `source` is the text of a number in the JSON. */
export type Leaf =
  | { path: string; type: 'boolean' | 'text'; text: string }
  | { path: string; type: 'number'; text: string; source: string };

/** The parts of a record that the reference implementation evaluates. */
export interface RecordLeaves {
  leaves: Leaf[];
  /** The paths with a value other than null. Inside arrays only leaves count. */
  present: Set<string>;
}

/** A number with its source text, which keeps all digits. */
class SourceNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

const keepSource = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? new SourceNumber(context?.source ?? String(value)) : value;

/** Parses a record from its JSON text. Of duplicate keys the last one counts. */
export function recordLeaves(record: string): RecordLeaves {
  const found: RecordLeaves = { leaves: [], present: new Set() };
  const parse = JSON.parse as (text: string, reviver: typeof keepSource) => unknown;
  collect(parse(record, keepSource), null, false, found);
  return found;
}

function collect(value: unknown, path: string | null, inArray: boolean, found: RecordLeaves): void {
  if (value === null) return;
  const isLeaf = typeof value !== 'object' || value instanceof SourceNumber;
  if (path !== null && (isLeaf || !inArray)) found.present.add(path);
  if (Array.isArray(value)) for (const element of value) collect(element, path, true, found);
  else if (value instanceof SourceNumber) {
    const { source } = value;
    found.leaves.push({ path: path ?? '', type: 'number', text: numberValue(source).text, source });
  } else if (typeof value === 'object') {
    for (const [key, member] of Object.entries(value))
      collect(member, path === null ? key : `${path}.${key}`, inArray, found);
  } else if (typeof value === 'string' || typeof value === 'boolean') {
    const type = typeof value === 'string' ? 'text' : 'boolean';
    found.leaves.push({ path: path ?? '', type, text: String(value).toWellFormed() });
  }
}

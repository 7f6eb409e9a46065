import { numberValue } from '../values/numbers.ts';

/** Where a value is in its record: the keys of objects, and the indexes of arrays. */
type LeafKeys = readonly (number | string)[];

/** A value that searches can match. `source` is the text of a number in the JSON. */
export type Leaf =
  | { path: string; keys: LeafKeys; type: 'boolean' | 'text'; text: string }
  | { path: string; keys: LeafKeys; type: 'number'; text: string; source: string };

/** The parts of a record that a search is compared with. */
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
  collect(parse(record, keepSource), { path: null, keys: [], inArray: false }, found);
  return found;
}

interface Location {
  path: string | null;
  keys: LeafKeys;
  inArray: boolean;
}

function collect(value: unknown, { path, keys, inArray }: Location, found: RecordLeaves): void {
  if (value === null) return;
  const isLeaf = typeof value !== 'object' || value instanceof SourceNumber;
  if (path !== null && (isLeaf || !inArray)) found.present.add(path);
  const at = { path: path ?? '', keys };
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries())
      collect(element, { path, keys: [...keys, index], inArray: true }, found);
  } else if (value instanceof SourceNumber) {
    const { source } = value;
    found.leaves.push({ ...at, type: 'number', text: numberValue(source).text, source });
  } else if (typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      const inner = path === null ? key : `${path}.${key}`;
      collect(member, { path: inner, keys: [...keys, key], inArray }, found);
    }
  } else if (typeof value === 'string' || typeof value === 'boolean') {
    const type = typeof value === 'string' ? 'text' : 'boolean';
    found.leaves.push({ ...at, type, text: String(value).toWellFormed() });
  }
}

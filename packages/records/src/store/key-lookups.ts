import { isHiddenPath, type VisibleLabels } from '@redoubt/labels';
import {
  columnExpression,
  compileLabelPredicate,
  kindBit,
  kinds,
  quoteString,
  recordColumns,
  selectVisiblePaths,
  type PathEntry,
} from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { qualifyTable, tableName } from './record-table.ts';
import { statementOptions } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';

const { recordId, labelId, ingestedAt, raw } = recordColumns;

export interface KeyLookup {
  datasetId: string;
  visible: VisibleLabels;
  /** Fields at the top of records, without dots in their names. */
  fields: readonly string[];
  /** The keys to find. Each has the values of these fields: texts as they are, other values as JSON. */
  keys: readonly (readonly string[])[];
  signal?: AbortSignal | undefined;
}

/** A visible record with one of the keys. */
export interface KeyedRecord {
  recordId: string;
  /** Canonical. */
  label: string;
  /** The time of the write, in milliseconds since 1970 UTC. */
  time: number;
}

/** The maximum number of keys in one statement. */
const maxKeys = 10_000;
/** The maximum number of characters of the keys in one statement. */
const maxKeyCharacters = 400_000;
/** How many records are returned for a key: two show that the key is not unique. */
const maxRecordsOfKey = 2;

/** Converts a key to one text, which identifies it in the result of a lookup. */
export const joinKey = (values: readonly string[]): string => JSON.stringify(values);

/**
 * Creates a lookup of visible records by the values of fields. It treats hidden records and fields like absent ones.
 */
export const createKeyLookups =
  ({
    engine,
    database,
    cache,
    limits,
  }: {
    engine: Pick<Engine, 'text'>;
    database: string;
    cache: CatalogCache;
    limits: StoreLimits;
  }) =>
  /** @returns the first two records with each key, in the order of their ids, by `joinKey` of the key */
  async ({
    datasetId,
    visible,
    fields,
    keys,
    signal,
  }: KeyLookup): Promise<ReadonlyMap<string, KeyedRecord[]>> => {
    const found = new Map<string, KeyedRecord[]>();
    const paths = selectVisiblePaths(await cache.pathEntries(datasetId), visible);
    const entries = fields.map((path) => ({
      path,
      entry: isHiddenPath(visible.hidden, path) ? undefined : paths.get(path),
    }));
    const columns = entries.flatMap(({ path, entry }) =>
      entry === undefined ? [] : [columnExpression({ path, ...entry }, 'text', raw)],
    );
    // If no visible record has one of the fields, no record matches.
    if (columns.length < fields.length) return found;
    const labels = await cache.labels(datasetId, visible.version);
    const conditions = [
      ...columns.map((column) => `${column} IS NOT NULL`),
      ...entries.flatMap(({ path, entry }) => (entry === undefined ? [] : isScalar(path, entry))),
    ];
    const values = columns.map((column) => `ifNull(${column}, '')`).join(', ');
    for (const portion of portionsOf(keys)) {
      const wanted = portion.map((key) => `(${key.map(quoteString).join(', ')})`).join(', ');
      const text = await engine.text(
        `SELECT ${recordId}, ${labelId}, toUnixTimestamp64Milli(${ingestedAt}), ${columns.map((column) => `hex(ifNull(${column}, ''))`).join(', ')} FROM ${qualifyTable(database, tableName(datasetId))} WHERE ${[compileLabelPredicate(visible), `(${values}) IN (${wanted})`, ...conditions].join(' AND ')} ORDER BY ${recordId} LIMIT ${maxRecordsOfKey} BY ${values}`,
        // The statement may scan the whole dataset, so it gets the time limit of long responses.
        statementOptions(limits, 'streamSeconds', 'short', { signal }),
      );
      for (const line of text.split('\n').filter((row) => row !== '')) {
        const [id = '', label = '', time = '', ...key] = line.split('\t');
        const name = joinKey(key.map((hex) => Buffer.from(hex, 'hex').toString('utf8')));
        const record = { recordId: id, label: labels[Number(label)]?.expression ?? '', time: Number(time) };
        const others = found.get(name);
        if (others === undefined) found.set(name, [record]);
        else others.push(record);
      }
    }
    return found;
  };

/**
 * The condition that a field is no object or array, parts of which may be hidden. Empty if no record has such a value
 * there.
 */
function isScalar(path: string, entry: PathEntry): string[] {
  if ((entry.kinds & (kindBit(kinds.object) | kindBit(kinds.array))) === 0) return [];
  const json = columnExpression({ path, ...entry }, 'jsonb', raw);
  return [`NOT match(ifNull(${json}, ''), ${quoteString('^[\\[{]')})`];
}

function* portionsOf(keys: readonly (readonly string[])[]): Generator<readonly (readonly string[])[]> {
  let from = 0;
  let characters = 0;
  for (const [at, key] of keys.entries()) {
    const length = key.reduce((sum, value) => sum + value.length, 0);
    if (at > from && (characters + length > maxKeyCharacters || at - from === maxKeys)) {
      yield keys.slice(from, at);
      from = at;
      characters = 0;
    }
    characters += length;
  }
  if (from < keys.length) yield keys.slice(from);
}

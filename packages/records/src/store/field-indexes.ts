import {
  fieldIndexes,
  isDocPath,
  kindBit,
  kinds,
  quoteIdentifier,
  quoteString,
  wordsByPathIndex,
} from '@redoubt/query';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { KnownPath } from '../intake/path-registry.ts';
import { badArguments, isEngineError } from '../engine/engine-errors.ts';
import type { Engine } from '../engine/engine.ts';
import type { CatalogCache } from './catalog-cache.ts';
import { tableName } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';
import type { WordsByPathIndexes } from './words-by-path.ts';

/** The indexes that a dataset should have. */
export interface RequestedIndexes {
  /** Each list of paths is one index, on one or several fields. */
  fields: readonly (readonly string[])[];
  /** Whether new fields get indexes automatically. */
  automatic: boolean;
  /** Fields that get no automatic index. */
  except: readonly string[];
  /** Whether some columns are hidden from some readers, whose searches need the index of words by path. */
  hidesColumns: boolean;
}

export interface FieldIndexManager {
  /**
   * Creates these indexes and drops all others. New indexes contain records from now on; `buildIndexes` adds existing
   * ones.
   */
  arrangeIndexes(datasetId: string, wanted: RequestedIndexes): Promise<void>;
  /** Fills the indexes of a dataset with all records, a few indexes at a time. It may be repeated. */
  buildIndexes(
    datasetId: string,
    how: { signal?: AbortSignal; progress?(percent: number): Promise<void> },
  ): Promise<void>;
  /** Whether the dataset has new fields since this process arranged its indexes. */
  indexesDue(datasetId: string): boolean;
}

/** How many fields get automatic indexes, in the order of appearance. Each index makes writes a little slower. */
const maxAutomatic = 16;
/** How many indexes one scan of the records fills. */
const indexesPerScan = 8;
const prefix = 'field_';
/** How often dropping an index that is being filled is retried. */
const attempts = 5;
/** After stopping a fill, another caller drops its index within these milliseconds. */
const untilDropped = 500;

/** UNFINISHED: the fill was stopped. */
const unfinished = 341;

const scalarKinds = [kinds.integer, kinds.float, kinds.text, kinds.timestamp].reduce<number>(
  (mask, kind) => mask | kindBit(kind),
  0,
);

const textKinds = kindBit(kinds.text) | kindBit(kinds.element);

const automaticPaths = (paths: readonly KnownPath[], except: ReadonlySet<string>): string[] =>
  paths
    .filter(({ path, kinds: seen }) => (seen & scalarKinds) !== 0 && isDocPath(path) && !except.has(path))
    .slice(0, maxAutomatic)
    .map(({ path }) => path);

/** The name of an index comes from its definition, so a changed definition is a new index. */
const nameOf = (definition: string): string =>
  `${prefix}${createHash('sha256').update(definition).digest('hex').slice(0, 24)}`;

export function createFieldIndexManager({
  engine,
  database,
  layout,
  cache,
  due,
  wordsByPath,
}: {
  engine: Engine;
  database: string;
  layout: TableLayout;
  cache: CatalogCache;
  /** Tracks which datasets have new fields. */
  due: { has(datasetId: string): boolean; settle(datasetId: string): void };
  wordsByPath: Pick<WordsByPathIndexes, 'drop' | 'fill' | 'forget' | 'indexWordsByPath'>;
}): FieldIndexManager {
  const storedIn = (datasetId: string): string => layout.stored(tableName(datasetId));

  async function present(datasetId: string): Promise<Set<string>> {
    const names = await engine.text(
      `SELECT name FROM system.data_skipping_indices WHERE database = ${quoteString(database)} AND table = ${quoteString(storedIn(datasetId))} AND (startsWith(name, '${prefix}') OR name = '${wordsByPathIndex.name}')`,
      { lane: 'short' },
    );
    return new Set(names.split('\n').filter((name) => name !== ''));
  }

  /**
   * Whether the dataset needs the index of words by path: if columns are hidden, or if somebody requested an index on a
   * field with texts, which they then search for words. Automatic indexes do not count, because the index of words by
   * path makes writes about as much slower as the word index does.
   */
  async function wantsWordsByPath(datasetId: string, wanted: RequestedIndexes): Promise<boolean> {
    if (wanted.hidesColumns) return true;
    const named = new Set(wanted.fields.flat());
    if (named.size === 0) return false;
    const paths = await cache.paths(datasetId);
    return paths.some(({ path, kinds: seen }) => named.has(path) && (seen & textKinds) !== 0);
  }

  async function definitionsOf(datasetId: string, wanted: RequestedIndexes): Promise<Map<string, string>> {
    const paths = await cache.paths(datasetId);
    const entries = new Map(paths.map((entry) => [entry.path, entry]));
    const automatic = wanted.automatic ? automaticPaths(paths, new Set(wanted.except)) : [];
    const lists = [...wanted.fields, ...automatic.map((path) => [path])];
    const definitions = lists.flatMap((list) => {
      const fields = list.flatMap((path) => {
        const entry = entries.get(path);
        return entry === undefined ? [] : [{ path, pathId: entry.id, kinds: entry.kinds }];
      });
      return fieldIndexes(fields).map(({ definition }) => definition);
    });
    return new Map(definitions.map((definition) => [nameOf(definition), definition]));
  }

  const stop = async (datasetId: string, how: 'ASYNC' | 'SYNC'): Promise<void> =>
    engine.command(
      `KILL MUTATION WHERE database = ${quoteString(database)} AND table = ${quoteString(storedIn(datasetId))} AND startsWith(command, '(MATERIALIZE INDEX ${prefix}') ${how}`,
      { lane: 'short' },
    );

  /**
   * Changes indexes. An index that is being filled cannot be dropped, so the fill is stopped and continues without it.
   */
  async function alter(datasetId: string, changes: readonly string[]): Promise<void> {
    for (let left = attempts; ; left--) {
      try {
        await engine.command(`${layout.alter(tableName(datasetId))} ${changes.join(', ')}`, {
          lane: 'short',
        });
        return;
      } catch (error) {
        if (left === 0 || !isEngineError(error, badArguments)) throw error;
        await stop(datasetId, 'SYNC');
      }
    }
  }

  /** @param more how often a stopped fill is retried while no index was dropped yet */
  async function fill(
    datasetId: string,
    names: readonly string[],
    signal?: AbortSignal,
    more = attempts,
  ): Promise<void> {
    const commands = names.map((name) => `MATERIALIZE INDEX ${quoteIdentifier(name)}`);
    const onAbort = (): void => {
      stop(datasetId, 'ASYNC').catch(() => undefined);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await engine.command(`${layout.alter(tableName(datasetId))} ${commands.join(', ')}`, {
        lane: 'long',
        settings: { mutations_sync: 2 },
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (!isEngineError(error, unfinished, badArguments)) throw error;
      // If an index was dropped in the meantime, fill the others without it.
      const still = await present(datasetId);
      const left = names.filter((name) => still.has(name));
      if (left.length < names.length) {
        if (left.length > 0) await fill(datasetId, left, signal);
        return;
      }
      // A caller that drops an index stops the fill shortly before.
      if (more === 0 || !isEngineError(error, unfinished)) throw error;
      await delay(untilDropped);
      await fill(datasetId, names, signal, more - 1);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  return {
    async arrangeIndexes(datasetId, wanted) {
      due.settle(datasetId);
      const definitions = await definitionsOf(datasetId, wanted);
      const before = await present(datasetId);
      const hasWords = before.delete(wordsByPathIndex.name);
      // This process may have cached an index that another process dropped.
      if (!hasWords) wordsByPath.forget(datasetId);
      if (await wantsWordsByPath(datasetId, wanted)) await wordsByPath.indexWordsByPath(datasetId);
      else if (hasWords) await wordsByPath.drop(datasetId);
      const changes = [
        ...[...before]
          .filter((name) => !definitions.has(name))
          .map((name) => `DROP INDEX IF EXISTS ${quoteIdentifier(name)}`),
        ...[...definitions]
          .filter(([name]) => !before.has(name))
          .map(([name, definition]) => `ADD INDEX IF NOT EXISTS ${quoteIdentifier(name)} ${definition}`),
      ];
      if (changes.length === 0) return;
      await alter(datasetId, changes);
    },

    async buildIndexes(datasetId, { signal, progress }) {
      const there = await present(datasetId);
      const hasWords = there.delete(wordsByPathIndex.name);
      const names = [...there].toSorted();
      for (let done = 0; done < names.length; done += indexesPerScan) {
        signal?.throwIfAborted();
        await progress?.(Math.floor((done / names.length) * 100));
        await fill(datasetId, names.slice(done, done + indexesPerScan), signal);
      }
      if (hasWords) await wordsByPath.fill(datasetId, signal);
    },

    indexesDue: (datasetId) => due.has(datasetId),
  };
}

/** Tracks the datasets whose fields were all checked for indexes. Unknown datasets need a check. */
export function createPendingIndexChecks(): {
  has(datasetId: string): boolean;
  settle(datasetId: string): void;
  mark(datasetId: string): void;
} {
  const settled = new Set<string>();
  return {
    has: (datasetId) => !settled.has(datasetId),
    settle: (datasetId) => {
      settled.add(datasetId);
    },
    mark: (datasetId) => {
      settled.delete(datasetId);
    },
  };
}

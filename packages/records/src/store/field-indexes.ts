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

/** What a dataset is to have indexes for. */
export interface RequestedIndexes {
  /** Lists of paths: each is one index, over one field or several together. */
  fields: readonly (readonly string[])[];
  /** Whether fields get indexes as they appear. */
  automatic: boolean;
  /** Fields that get none by themselves. */
  except: readonly string[];
  /** Whether some columns are hidden from some readers, whose searches need the index of words by path. */
  hidesColumns: boolean;
}

export interface FieldIndexManager {
  /** Gives a dataset these indexes, and no others. They hold what is stored from now on; `buildIndexes` adds what was before. */
  arrangeIndexes(datasetId: string, wanted: RequestedIndexes): Promise<void>;
  /** Fills the indexes of a dataset with all records, a few after another; may be done again. */
  buildIndexes(
    datasetId: string,
    how: { signal?: AbortSignal; progress?(percent: number): Promise<void> },
  ): Promise<void>;
  /** Whether the dataset has fields that its indexes were not arranged for in this process. */
  indexesDue(datasetId: string): boolean;
}

/** Fields that get indexes by themselves, in the order in which they appeared: each costs a little with every write. */
const mostAutomatic = 16;
/** Indexes that are filled by one reading of the records. */
const atOnce = 8;
const prefix = 'field_';
/** How often indexes that are being filled are tried to be dropped. */
const attempts = 5;
/** Milliseconds in which whoever stopped a filling has dropped the index that they stopped it for. */
const untilDropped = 500;

/** UNFINISHED: the filling was stopped. */
const unfinished = 341;

const scalarKinds = [kinds.integer, kinds.float, kinds.text, kinds.timestamp].reduce<number>(
  (mask, kind) => mask | kindBit(kind),
  0,
);

const textKinds = kindBit(kinds.text) | kindBit(kinds.element);

const automaticPaths = (paths: readonly KnownPath[], except: ReadonlySet<string>): string[] =>
  paths
    .filter(({ path, kinds: seen }) => (seen & scalarKinds) !== 0 && isDocPath(path) && !except.has(path))
    .slice(0, mostAutomatic)
    .map(({ path }) => path);

/** An index is named after what it is, so another definition is another index. */
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
  /** The datasets whose indexes were arranged for the fields that they have. */
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
   * Somebody who asks for an index of texts searches them for words. It costs each write about as much as the other index of
   * words, so fields get none by themselves.
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

  /** An index that is being filled cannot be dropped: the filling is stopped then, and goes on without it. */
  async function alter(datasetId: string, changes: readonly string[]): Promise<void> {
    for (let left = attempts; ; left--) {
      try {
        await engine.command(`${layout.alter(tableName(datasetId))} ${changes.join(', ')}`, {
          lane: 'short',
        });
        return;
      } catch (fault) {
        if (left === 0 || !isEngineError(fault, badArguments)) throw fault;
        await stop(datasetId, 'SYNC');
      }
    }
  }

  /** @param more how often it is tried again when it was stopped and nobody has dropped an index yet */
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
    } catch (fault) {
      signal?.throwIfAborted();
      if (!isEngineError(fault, unfinished, badArguments)) throw fault;
      // One of them was dropped meanwhile; the others are filled without it.
      const still = await present(datasetId);
      const left = names.filter((name) => still.has(name));
      if (left.length < names.length) {
        if (left.length > 0) await fill(datasetId, left, signal);
        return;
      }
      // Whoever stops it to drop an index does so a moment before.
      if (more === 0 || !isEngineError(fault, unfinished)) throw fault;
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
      // This process may remember one that another has dropped.
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
      for (let done = 0; done < names.length; done += atOnce) {
        signal?.throwIfAborted();
        await progress?.(Math.floor((done / names.length) * 100));
        await fill(datasetId, names.slice(done, done + atOnce), signal);
      }
      if (hasWords) await wordsByPath.fill(datasetId, signal);
    },

    indexesDue: (datasetId) => due.has(datasetId),
  };
}

/** Remembers which datasets have all their fields looked at for indexes; what is not known is due. */
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

import { LRUCache } from 'lru-cache';
import { compileCopyRows, summaryCopyColumns, querySettings, type TableName } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { createOutdatedCopyCleanup } from './outdated-copy-cleanup.ts';
import { readPartStates, type PartState } from './part-states.ts';
import { copiedColumns, createCopiesTable, qualifyTable, tableName } from './record-table.ts';
import { statementOptions } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';

/**
 * Copies of the records of small datasets in one table, so that one statement can search hundreds of datasets: opening
 * a table takes the engine milliseconds, even if the table is small.
 *
 * A copy is valid as long as the table of its dataset has the same parts as when it was copied. This is checked before
 * each search, so the next search sees every change of records and labels by any process. Copies have the labels of the
 * records and are filtered like them. Searches never wait for a copy, and a copy never changes. A copy that is invalid
 * because records were deleted is removed at once; other copies are dropped by the engine after some hours, even after
 * a crash. On a cluster there are no copies, because its Distributed tables have no parts.
 */
export interface SummaryCopies {
  table: TableName;
  /** The id of this store, because other stores on the same engine have their own copies in the table. */
  writer(): string;
  /**
   * Returns the numbers of the valid copies of these datasets. For small datasets without one, it starts making a copy
   * for the next search, if they have not changed since the last search or for some time.
   */
  find(datasetIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Removes copies with deleted records from the disk. Call it when records of a dataset were deleted, and for all
   * datasets at the start, because a crashed process may not have done it.
   */
  removeOutdated(datasetId?: string): Promise<void>;
  /** Stops using all current copies. */
  forget(): void;
  /** Waits until all copies that were requested so far are made. */
  settled(): Promise<void>;
  /** Stops making copies, and waits for the current one. */
  close(): Promise<void>;
}

interface Copy {
  number: number;
  state: string;
  madeAt: number;
}

const mostDatasets = 10_000;
/** Datasets with more rows get no copy. */
const maxRows = 10_000;
const mostBytes = 8_000_000;
/** How many datasets and bytes one statement copies. */
const datasetsOfStatement = 25;
const bytesOfStatement = 32_000_000;
/** A dataset without changes for this many seconds is copied at its first search. */
const quietSeconds = 60;
/** Seconds after which a copy is made again, and after which it is no longer used. */
const renewSeconds = 3600;
const usableSeconds = 3 * 3600;
/** Hours after which the engine drops copies, when none is in use any more. */
const keptHours = 4;
/** The maximum number of bytes that are copied within a period. */
const bytesOfWhile = 500_000_000;
const whileSeconds = 3600;

export function createSummaryCopies({
  engine,
  database,
  limits,
}: {
  engine: Engine;
  database: string;
  limits: StoreLimits;
}): SummaryCopies {
  const table = { database, datasetId: 'summary_copies' };
  const copies = new LRUCache<string, Copy>({ max: mostDatasets });
  const lastStates = new LRUCache<string, { name: string }>({
    max: mostDatasets,
    memoMethod: () => ({ name: '' }),
  });
  const wanted = new Map<string, PartState>();
  const stop = new AbortController();
  const spent = { since: 0, bytes: 0 };
  let lastNumber = 0;
  let writer = '';
  let work: Promise<void> | undefined;

  const named = qualifyTable(database, table.datasetId);
  const outdated = createOutdatedCopyCleanup({ engine, database, table: table.datasetId });

  async function statesOf(datasetIds: readonly string[]): Promise<ReadonlyMap<string, PartState>> {
    const states = await readPartStates(engine, database, datasetIds.map(tableName));
    return new Map(
      datasetIds.flatMap((id) => {
        const state = states.get(tableName(id));
        return state === undefined ? [] : [[id, state]];
      }),
    );
  }

  function want(datasetId: string, state: PartState, isRenewal: boolean): void {
    const last = lastStates.memo(datasetId);
    const isQuiet = last.name === state.name || state.now - state.changedAt > quietSeconds;
    last.name = state.name;
    const isSmall = state.rows <= maxRows && state.bytes <= mostBytes;
    if (isSmall && (isQuiet || isRenewal)) wanted.set(datasetId, state);
  }

  function nextBatch(): string[] {
    const batch: string[] = [];
    let bytes = 0;
    for (const [datasetId, state] of wanted) {
      if (batch.length === datasetsOfStatement || (bytes > 0 && bytes + state.bytes > bytesOfStatement))
        break;
      if (!mayCopy(state)) continue;
      batch.push(datasetId);
      bytes += state.bytes;
    }
    return batch;
  }

  /** Whether the limits allow another copy. */
  function mayCopy({ now, bytes }: PartState): boolean {
    if (Math.abs(now - spent.since) > whileSeconds) Object.assign(spent, { since: now, bytes: 0 });
    return spent.bytes + bytes <= bytesOfWhile;
  }

  async function copy(batch: readonly string[]): Promise<void> {
    const before = await statesOf(batch);
    const numbered = [...before].map(([id, state]) => ({ id, state, number: ++lastNumber }));
    const [first] = numbered;
    if (first === undefined) return;
    const madeAt = first.state.now;
    const columns = copiedColumns.join(', ');
    const { visibility: sight, dataset, state: stateColumn } = summaryCopyColumns;
    const rows = numbered.map(({ id, number, state }) =>
      compileCopyRows(
        { database, datasetId: tableName(id) },
        { copy: number, dataset: id, state: state.name },
        copiedColumns,
      ),
    );
    let unchanged: typeof numbered;
    try {
      await engine.command(
        `INSERT INTO ${named} (${summaryCopyColumns.madeAt}, ${summaryCopyColumns.writer}, ${sight}, ${dataset}, ${stateColumn}, ${columns})
       SELECT ${String(madeAt)}, '${writer}', ${sight}, ${dataset}, ${stateColumn}, ${columns} FROM (${rows.join(' UNION ALL ')})`,
        options(),
      );
    } finally {
      // Check the states again: a process that changed records in the meantime did not find the copies.
      const after = await statesOf(batch);
      const isSame = ({ id, state }: (typeof numbered)[number]): boolean =>
        after.get(id)?.name === state.name;
      await outdated.remove(numbered.filter((one) => !isSame(one)).map(({ id }) => id));
      unchanged = numbered.filter(isSame);
    }
    spent.bytes += numbered.reduce((sum, { state }) => sum + state.bytes, 0);
    for (const { id, number, state } of unchanged) {
      copies.set(id, { number, state: state.name, madeAt });
    }
  }

  const options = () => {
    const long = statementOptions(limits, 'querySeconds', 'long', { signal: stop.signal });
    return { ...long, settings: { ...querySettings, max_threads: 1, max_insert_threads: 1 } };
  };

  async function copyAll(): Promise<void> {
    // Use the randomness of the engine, because tests give several stores the same random bytes.
    if (writer === '') writer = (await engine.text('SELECT generateUUIDv4()', { lane: 'short' })).trim();
    await engine.command(createCopiesTable(database, table.datasetId, keptHours), { lane: 'short' });
    for (;;) {
      const batch = nextBatch();
      if (batch.length === 0 || stop.signal.aborted) return;
      await copy(batch);
      for (const id of batch) wanted.delete(id);
    }
  }

  /** Makes the requested copies. If one fails, the next search requests it again. */
  function startWork(): void {
    if (wanted.size === 0 || stop.signal.aborted) return;
    work ??= copyAll()
      .catch(() => undefined)
      .finally(() => {
        wanted.clear();
        work = undefined;
      });
  }

  return {
    table,
    writer: () => writer,
    async find(datasetIds) {
      const found = new Map<string, number>();
      if (datasetIds.length < limits.summaryCopiesFrom) return found;
      for (const [id, state] of await statesOf(datasetIds)) {
        const known = copies.get(id);
        const age = known?.state === state.name ? state.now - known.madeAt : Number.POSITIVE_INFINITY;
        if (known !== undefined && age < usableSeconds) found.set(id, known.number);
        if (age >= renewSeconds) want(id, state, age < usableSeconds);
      }
      startWork();
      return found;
    },
    removeOutdated: async (datasetId) => outdated.remove(datasetId === undefined ? undefined : [datasetId]),
    forget: () => {
      copies.clear();
    },
    settled: async () => work,
    async close() {
      stop.abort();
      await work;
    },
  };
}

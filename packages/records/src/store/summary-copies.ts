import { LRUCache } from 'lru-cache';
import { compileCopyRows, summaryCopyColumns, querySettings, type TableName } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { createOutdatedCopyCleanup } from './outdated-copy-cleanup.ts';
import { readPartStates, type PartState } from './part-states.ts';
import { copiedColumns, createCopiesTable, qualifyTable, tableName } from './record-table.ts';
import { statementOptions } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';

/**
 * Copies of the records of small datasets in one table, so that a search through hundreds of them is one statement: the engine
 * takes milliseconds to turn to a table, whatever it holds.
 *
 * A copy counts as long as the parts of its dataset's table are those that were copied, which is asked before each search: so
 * every change of a record, its label or its words is heeded by the next search, whichever process made it. Copies have the labels
 * that the records have, and are read as these are. Nobody waits for a copy to be made, and no copy is ever written to. What counts
 * no more because records went is taken off the disk at once, all else is dropped by the engine some hours later, however its
 * processes ended. On a cluster there are none, since what is read there is a table without parts of its own.
 */
export interface SummaryCopies {
  table: TableName;
  /** Whose the numbers are, as other stores on the same engine have copies of their own in the table. */
  writer(): string;
  /**
   * The numbers of the copies that are what these datasets are now. Datasets that have none get one meanwhile, for the next search,
   * where they are small, and have not changed since the last search or for a while.
   */
  find(datasetIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Takes what is left in copies of records that went off the disk. To be called when that happened in a dataset, and for all datasets
   * at a start, as a killed process may not have come to it.
   */
  removeOutdated(datasetId?: string): Promise<void>;
  /** Uses the copies that there are no more. */
  forget(): void;
  /** Waits until the copies that are wanted by now have been made. */
  settled(): Promise<void>;
  /** Makes no more copies, and waits for the one that is being made. */
  close(): Promise<void>;
}

interface Copy {
  number: number;
  state: string;
  madeAt: number;
}

const mostDatasets = 10_000;
/** Larger datasets are worth a turn of their own. */
const mostRows = 10_000;
const mostBytes = 8_000_000;
/** Datasets and bytes of one statement that copies. */
const datasetsOfStatement = 25;
const bytesOfStatement = 32_000_000;
/** Seconds without a change after which a dataset is copied when it is first asked about. */
const quietSeconds = 60;
/** Seconds after which a copy is made anew, and after which it is not used any more. */
const renewSeconds = 3600;
const usableSeconds = 3 * 3600;
/** Hours after which the engine drops copies: later than anybody uses them. */
const keptHours = 4;
/** Bytes that are copied in so many seconds at most. */
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
    const isSmall = state.rows <= mostRows && state.bytes <= mostBytes;
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

  /** Whether there is room for it. */
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
    const { sight, dataset, state: stateColumn } = summaryCopyColumns;
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
      // Whoever changed them meanwhile did not find the copies, which were not there yet.
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
    // The engine's randomness, since this store's may be that of a test, and so that of another store.
    if (writer === '') writer = (await engine.text('SELECT generateUUIDv4()', { lane: 'short' })).trim();
    await engine.command(createCopiesTable(database, table.datasetId, keptHours), { lane: 'short' });
    for (;;) {
      const batch = nextBatch();
      if (batch.length === 0 || stop.signal.aborted) return;
      await copy(batch);
      for (const id of batch) wanted.delete(id);
    }
  }

  /** A copy that cannot be made is done without: the next search wants it again. */
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

import type { VisibleLabels } from '@redoubt/labels';
import { recordColumns } from '@redoubt/query';
import { isMemoryLimitError } from '../engine/engine-errors.ts';
import type { Engine } from '../engine/engine.ts';
import { insertColumns } from '../intake/prepared-rows.ts';
import { completeRows, completingSettings, type CarriedRows } from './carried-rows.ts';
import { arrivalColumns, qualifyTable } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

const { recordId, labelId } = recordColumns;

/**
 * The first label id of arriving records, which are stored but not visible yet. The ids of real labels count up from 0
 * and never get this far. Readers see only label ids that they are known to satisfy, so nobody sees a record with such
 * an id.
 */
export const firstArrivingLabel = 2 ** 31;
/** How many ids there are for arriving records. The ids after them are for records in slots; see `firstStagedLabel`. */
const arrivingLabelCount = 2 ** 30;

/** The maximum size of the rows of one insert. A larger row is inserted alone. */
const insertedBytes = 16_000_000;

/** Maps the label id that records get to the arriving label id that they have until they become visible. */
export type ArrivingLabels = ReadonlyMap<number, number>;

/**
 * @param mark a random number from 0 to 2^31 - 1, so that each write has other arriving ids. If an earlier write failed
 *   and left records behind, they do not become visible together with the records of this write
 */
export function createArrivingLabels(labelIds: Iterable<number>, mark: number): ArrivingLabels {
  const labels = new Map<number, number>();
  for (const id of labelIds) {
    if (!labels.has(id)) labels.set(id, firstArrivingLabel + ((mark + labels.size) % arrivingLabelCount));
  }
  return labels;
}

export interface ArrivingRowsOptions {
  labels: ArrivingLabels;
  /** The arriving label ids of the rows that the engine must complete, by the ids that they have afterwards. */
  carrying: ArrivingLabels;
  /** What is visible to the writer. */
  visible: VisibleLabels;
}

/** The rows of one write. */
export interface ArrivingRows {
  /**
   * Takes rows that begin with their arriving label id, and inserts them once there are enough.
   * @param carried which of them the engine must complete, and from which paths of the records that they replace
   */
  add(rows: Buffer, carried?: CarriedRows): Promise<void>;
  /** Inserts the remaining rows, and stores in the table `kept` the ids that `show` needs. */
  end(): Promise<void>;
}

export interface ArrivingRecords {
  /** @param kept the table for the arriving label id, the label id and the record id of each row */
  rows(table: string, kept: string, options: ArrivingRowsOptions): ArrivingRows;
  /**
   * Makes the records in the table `kept` visible, and deletes the earlier records with the same ids. Readers see both
   * changes or none. It can safely be repeated. The memory that it takes does not depend on the size of the records.
   */
  show(table: string, kept: string): Promise<void>;
  /** Deletes all arriving records, which were never visible. */
  remove(table: string): Promise<void>;
}

/**
 * The table names that it takes have no database in front and are not quoted.
 * @param completingBytes the memory in which the engine may complete several rows at once
 */
export function createArrivingRecords(
  engine: Pick<Engine, 'command' | 'insert' | 'text'>,
  database: string,
  layout: TableLayout,
  completingBytes: number,
): ArrivingRecords {
  const named = (table: string): string => qualifyTable(database, table);

  /** Reads the distinct arriving label ids, each with the label id that replaces it. */
  async function keptLabels(kept: string): Promise<[arriving: string, becomes: string][]> {
    const text = await engine.text(`SELECT DISTINCT arriving, ${labelId} FROM ${named(kept)}`, {
      lane: 'short',
    });
    return text.split('\n').flatMap((line): [string, string][] => {
      const [arriving, becomes] = line.split('\t');
      return arriving === undefined || becomes === undefined ? [] : [[arriving, becomes]];
    });
  }

  return {
    rows(table, kept, { labels, carrying, visible }) {
      const becomes = new Map([...labels].map(([id, arriving]) => [String(arriving), id]));
      const shown = new Map(
        [...carrying].map(([id, arriving]) => [String(arriving), String(labels.get(id))]),
      );
      const keptRows: string[] = [];
      let waiting: Buffer[] = [];
      let toComplete: CarriedRows[] = [];
      /** The sizes of the waiting rows by their record ids. */
      const sizes = new Map<string, number>();
      let bytes = 0;

      /**
       * Completes rows in one statement, or in several if it takes too much memory: the size of hidden values must not
       * make a write fail.
       */
      const complete = async ({ ids, paths }: CarriedRows): Promise<void> => {
        const target = named(layout.stored(table));
        const sql = completeRows(target, visible, labelsBetween(carrying, labels), { ids, paths });
        const options = { lane: 'short', settings: completingSettings, isRepeatable: true } as const;
        const [id, other] = ids;
        if (id !== undefined && other === undefined) {
          return engine.command(sql, { ...options, rowBytes: sizes.get(id) ?? 0 });
        }
        try {
          await engine.command(sql, { ...options, memoryLimitBytes: completingBytes });
        } catch (error) {
          if (!isMemoryLimitError(error)) throw error;
          const middle = Math.ceil(ids.length / 2);
          await complete({ ids: ids.slice(0, middle), paths });
          await complete({ ids: ids.slice(middle), paths });
        }
      };

      const insert = async (): Promise<void> => {
        const data = Buffer.concat(waiting);
        waiting = [];
        bytes = 0;
        if (data.length === 0) return;
        await engine.insert({ table: `${database}.${layout.stored(table)}`, columns: insertColumns, data });
        for (const rows of toComplete) await complete(rows);
        toComplete = [];
        sizes.clear();
      };

      return {
        async add(rows, carried) {
          if (bytes + rows.length > insertedBytes) await insert();
          for (const { arriving: first, id, size } of idsOf(rows)) {
            sizes.set(id, size);
            const arriving = shown.get(first) ?? first;
            keptRows.push(`${arriving}\t${String(becomes.get(arriving))}\t${id}\n`);
          }
          if (carried !== undefined && carried.ids.length > 0) toComplete.push(carried);
          waiting.push(rows);
          bytes += rows.length;
        },
        async end() {
          await insert();
          const data = Buffer.from(keptRows.join(''));
          await engine.insert({ table: `${database}.${kept}`, columns: arrivalColumns, data });
        },
      };
    },

    async show(table, kept) {
      const labels = await keptLabels(kept);
      if (labels.length === 0) return;
      const arriving = labels.map(([label]) => label).join(', ');
      const becomes = labels.map(([, label]) => label).join(', ');
      const stored = named(layout.stored(table));
      // `_row_exists` is set in every row. If an update sets only labels, chdb 3.4.0 confuses rows when it answers from
      // the word index.
      await engine.command(
        `UPDATE ${stored} SET ${labelId} = toUInt32(transform(${labelId}, [${arriving}], [${becomes}], ${labelId})), _row_exists = ${labelId} IN (${arriving})
         WHERE ${recordId} IN
           (SELECT ${recordId} FROM ${stored} WHERE ${recordId} IN (SELECT ${recordId} FROM ${named(kept)}) AND ${labelId} IN (${arriving}))`,
        { lane: 'short' },
      );
    },

    remove: async (table) =>
      engine.command(
        `DELETE FROM ${named(layout.stored(table))} WHERE ${labelId} >= ${String(firstArrivingLabel)} AND ${labelId} < ${String(firstArrivingLabel + arrivingLabelCount)}`,
        { lane: 'short', settings: { lightweight_delete_mode: 'lightweight_update_force' } },
      ),
  };
}

const labelsBetween = (from: ArrivingLabels, to: ArrivingLabels): [before: number, after: number][] =>
  [...from].map(([id, before]) => [before, to.get(id) ?? -1]);

/** Reads the first two columns of rows in the format TabSeparated, the arriving label id and the record id, and sizes. */
function* idsOf(rows: Buffer): Generator<{ arriving: string; id: string; size: number }> {
  for (let start = 0; start < rows.length;) {
    const first = rows.indexOf('\t', start);
    const second = rows.indexOf('\t', first + 1);
    const next = rows.indexOf('\n', second) + 1;
    const arriving = rows.toString('latin1', start, first);
    yield { arriving, id: rows.toString('latin1', first + 1, second), size: next - start };
    start = next;
  }
}

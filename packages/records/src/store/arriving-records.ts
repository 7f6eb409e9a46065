import { recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { insertColumns } from '../intake/prepared-rows.ts';
import { arrivalColumns, qualifyTable } from './record-table.ts';
import type { TableLayout } from './table-layout.ts';

const { recordId, labelId } = recordColumns;

/**
 * Labels have ids from 0 on, and readers see those that they are known to satisfy: never one from here on. Records that
 * are stored and not shown yet have labels from here on.
 */
export const firstArrivingLabel = 2 ** 31;
/** Above are labels of records that arrive over a longer time; see `firstStagedLabel`. */
const arrivingLabelCount = 2 ** 30;

/** Bytes of rows that are inserted together. */
const insertedBytes = 16_000_000;

/** The labels that the records of one write have until they are shown, by those that they will have. */
export type ArrivingLabels = ReadonlyMap<number, number>;

/**
 * @param mark a random number from 0 to 2^31 - 1: records that an earlier write left behind, because the engine failed in
 *   the middle, have other labels then and are never shown with those of this write
 */
export function createArrivingLabels(labelIds: Iterable<number>, mark: number): ArrivingLabels {
  const labels = new Map<number, number>();
  for (const id of labelIds) {
    if (!labels.has(id)) labels.set(id, firstArrivingLabel + ((mark + labels.size) % arrivingLabelCount));
  }
  return labels;
}

/** The rows of one write. */
export interface ArrivingRows {
  /** Inserts rows that begin with their arriving label; a portion of them is one insert. */
  add(rows: Buffer): Promise<void>;
  /** Inserts what is left, and keeps in the other table what it takes to show the records. */
  end(): Promise<void>;
}

export interface ArrivingRecords {
  /** @param kept the table that keeps what it takes to show them */
  rows(table: string, kept: string, labels: ArrivingLabels): ArrivingRows;
  /**
   * Shows the records whose ids a table keeps, and deletes those with the same ids that were there before. Readers see all of
   * it or nothing. Done twice it gives the same. The memory that it takes does not depend on the size of the records.
   */
  show(table: string, kept: string): Promise<void>;
  /** Deletes whatever has arrived and was not shown. */
  remove(table: string): Promise<void>;
}

/** Tables are named without their database. */
export function createArrivingRecords(
  engine: Pick<Engine, 'command' | 'insert' | 'text'>,
  database: string,
  layout: TableLayout,
): ArrivingRecords {
  const named = (table: string): string => qualifyTable(database, table);

  /** Arriving labels and those that they become. */
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
    rows(table, kept, labels) {
      const becomes = new Map([...labels].map(([id, arriving]) => [String(arriving), id]));
      const keptRows: string[] = [];
      let waiting: Buffer[] = [];
      let bytes = 0;

      const insert = async (): Promise<void> => {
        const data = Buffer.concat(waiting);
        waiting = [];
        bytes = 0;
        if (data.length === 0) return;
        await engine.insert({ table: `${database}.${layout.stored(table)}`, columns: insertColumns, data });
      };

      return {
        async add(rows) {
          if (bytes + rows.length > insertedBytes) await insert();
          for (const { arriving, id } of idsOf(rows)) {
            keptRows.push(`${arriving}\t${String(becomes.get(arriving))}\t${id}\n`);
          }
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
      // That a row exists is said of every row: where an update is about labels alone, the engine (chdb 3.4.0) takes rows for
      // others that it answers from the index of words.
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

/** The first two columns of rows in the format TabSeparated: their labels and record ids. */
function* idsOf(rows: Buffer): Generator<{ arriving: string; id: string }> {
  for (let start = 0; start < rows.length;) {
    const first = rows.indexOf('\t', start);
    const second = rows.indexOf('\t', first + 1);
    yield { arriving: rows.toString('latin1', start, first), id: rows.toString('latin1', first + 1, second) };
    start = rows.indexOf('\n', second) + 1;
  }
}

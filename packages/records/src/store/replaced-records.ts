import type { VisibleLabels } from '@redoubt/labels';
import { compileLabelPredicate, querySettings, quoteString, recordColumns } from '@redoubt/query';
import { createHiddenPartReader } from '../columns/hidden-part.ts';
import { sourceColumnNames } from '../intake/record-source.ts';
import type { Engine } from '../engine/engine.ts';

const { recordId, labelId, fields, raw } = recordColumns;

/** What counters and limits need to know about a record that is being replaced. */
export interface OldRecord {
  id: string;
  labelId: number;
  codes: number[];
  /** The size of its text, hidden columns included. */
  bytes: number;
  /** The text of its source columns. */
  source: string;
}

/** The maximum number of ids in a statement; they take about 400 KB of its text. */
const maxIds = 10_000;
/** The maximum size of the records that are read together. A larger record is read alone. */
const portionBytes = 4_000_000;

export interface ReplacedRecords {
  /**
   * Reads the records with these ids that are visible to the writer. Returns them sorted by id: their new rows are
   * inserted in this order, so the new parts of the table cover ranges of ids that do not overlap, and readers open
   * them one at a time.
   */
  read(table: string, visible: VisibleLabels, ids: readonly string[]): Promise<OldRecord[]>;
  /**
   * Returns the part of each record that is hidden from the writer, by record id. Reads whole records even for writers
   * who see all columns; otherwise the time of a replacement would disclose whether there are hidden columns.
   */
  hiddenParts(
    table: string,
    visible: VisibleLabels,
    records: readonly OldRecord[],
  ): Promise<ReadonlyMap<string, string>>;
}

/** Reads records that are about to be replaced. The table names that it takes are already quoted. */
export function createReplacedRecords(engine: Pick<Engine, 'bytes' | 'text'>): ReplacedRecords {
  return {
    async read(table, visible, ids) {
      const records: OldRecord[] = [];
      for (let at = 0; at < ids.length; at += maxIds) {
        const rows = await engine.text(
          `SELECT ${recordId}, ${labelId}, arrayStringConcat(${fields}, ','), length(${raw}), ${sourceColumnNames.join(', ')} ${from(table, visible, ids.slice(at, at + maxIds))}`,
          { lane: 'short', settings: querySettings },
        );
        for (const row of rows.split('\n')) if (row !== '') records.push(oldRecord(row));
      }
      return records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    },

    async hiddenParts(table, visible, records) {
      const ids = records.map(({ id }) => id);
      const bytes = await engine.bytes(`SELECT ${recordId}, ${raw} ${from(table, visible, ids)}`, {
        lane: 'short',
        settings: querySettings,
        format: 'TSVRaw',
      });
      const rows = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const partOf = createHiddenPartReader(visible.hidden);
      const parts = new Map<string, string>();
      for (let start = 0; start < rows.length;) {
        const tab = rows.indexOf('\t', start);
        const end = rows.indexOf('\n', tab);
        const part = partOf(rows.subarray(tab + 1, end));
        if (part !== undefined) parts.set(rows.toString('latin1', start, tab), part);
        start = end + 1;
      }
      return parts;
    },
  };
}

function oldRecord(row: string): OldRecord {
  const [id = '', label = '', codes = '', bytes = '', ...source] = row.split('\t');
  return {
    id,
    labelId: Number(label),
    codes: codes === '' ? [] : codes.split(',').map(Number),
    bytes: Number(bytes),
    source: source.join('\t'),
  };
}

const from = (table: string, visible: VisibleLabels, ids: readonly string[]): string =>
  `FROM ${table} WHERE ${compileLabelPredicate(visible)} AND ${recordId} IN (${ids.map(quoteString).join(', ')})`;

/** Divides records into portions small enough to be held in memory. */
export function* portionsOf(records: readonly OldRecord[]): Generator<readonly OldRecord[]> {
  let from = 0;
  let bytes = 0;
  for (const [at, record] of records.entries()) {
    if (at > from && (bytes + record.bytes > portionBytes || at - from === maxIds)) {
      yield records.slice(from, at);
      from = at;
      bytes = 0;
    }
    bytes += record.bytes;
  }
  if (from < records.length) yield records.slice(from);
}

import type { ReadRequest } from '../source.ts';

/** A row of an incremental read. */
export interface VersionedRow {
  row: Buffer;
  hash: string;
  /** Whether a later job reads it again. */
  isKept: boolean;
}

/** Leaves out the rows that earlier jobs have read, and notes those that a later job reads again. */
export interface RowFilter {
  /** Called before the first row. */
  begin(checkpoint: string): void;
  add(row: VersionedRow): AsyncIterable<Uint8Array>;
  end(): AsyncIterable<Uint8Array>;
}

const rowsAtOnce = 1000;
const bytesAtOnce = 4_000_000;

export const createRowFilter = ({
  known,
  onVersion,
  onDuplicates,
  readRows,
}: Pick<ReadRequest, 'known' | 'onDuplicates' | 'onVersion' | 'readRows'>): RowFilter => {
  let waiting: VersionedRow[] = [];
  let bytes = 0;
  async function* flush(): AsyncGenerator<Uint8Array> {
    const rows = waiting;
    waiting = [];
    bytes = 0;
    const hashes = rows.map(({ hash }) => hash);
    const earlier = await readRows.find(known?.['readRows'], hashes);
    await readRows.add(rows.flatMap(({ hash, isKept }) => (isKept ? [hash] : [])));
    onDuplicates(rows.filter(({ hash }) => earlier.has(hash)).length);
    for (const { row, hash } of rows) if (!earlier.has(hash)) yield row;
  }
  return {
    begin: (checkpoint) => onVersion({ checkpoint, readRows: readRows.id }),
    add: async function* (row) {
      waiting.push(row);
      bytes += row.row.length;
      if (waiting.length >= rowsAtOnce || bytes >= bytesAtOnce) yield* flush();
    },
    end: flush,
  };
};

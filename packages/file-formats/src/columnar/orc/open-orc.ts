import type { Column } from '../../file-format.ts';
import type { RandomAccess } from '../../sources/seekable-source.ts';
import type { ColumnarTable, TableLimits, TableRow } from '../columnar-table.ts';
import { DamagedFile } from '../damaged-file.ts';
import { readOrcFile, readStripeFooter, type OrcStripe, type OrcType } from './orc-file.ts';
import { readBits, type Next } from './orc-runs.ts';
import { OrcStream } from './orc-stream.ts';
import { createOrcReader, type OrcStripeReader } from './orc-values.ts';
import { zoneOffset } from './orc-zones.ts';

const columnTypes: Readonly<Partial<Record<OrcType['kind'], Column['type']>>> = {
  boolean: 'boolean',
  byte: 'integer',
  short: 'integer',
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  date: 'date',
  timestamp: 'timestamp',
  instant: 'timestamp',
  list: 'json',
  map: 'json',
  struct: 'json',
  union: 'json',
};

/** Opens an Apache ORC file. One chunk of each stream is in memory at a time, plus the dictionaries of a stripe. */
export function openOrc(file: RandomAccess, { maxNesting }: TableLimits): ColumnarTable {
  const { compression, root, stripes } = readOrcFile(file, maxNesting);

  function* readStripe(stripe: OrcStripe, isRead: readonly boolean[]): Generator<TableRow> {
    let problem: string | undefined;
    const footer = readStripeFooter(file, stripe, compression);
    const reader: OrcStripeReader = {
      column: footer.columns,
      open: ({ streams }, kind) => {
        const range = streams.get(kind);
        if (range === undefined) throw new DamagedFile('a column has no values');
        return new OrcStream(file, range, compression);
      },
      zone: zoneOffset(footer.timeZone),
      onProblem: (text) => void (problem ??= text),
    };
    const readers = root.fields.map(({ type }, index): Next<string> =>
      isRead[index] === true ? createLazyReader(type, reader) : () => '',
    );
    const isPresent = readPresent(reader);
    for (let row = 0; row < stripe.rows; row++) {
      problem = undefined;
      const values = isPresent() ? readers.map((read) => read()) : readers.map(() => 'null');
      yield { values, problem };
    }
  }

  return {
    columns: root.fields.map(({ name, type }) => ({ name, type: columnTypes[type.kind] ?? 'text' })),
    *rows(isRead) {
      for (const stripe of stripes) yield* readStripe(stripe, isRead);
    },
  };
}

/** Whether the rows are present; some writers store that as a stream. */
function readPresent(reader: OrcStripeReader): Next<boolean> {
  const column = reader.column(0);
  return column.streams.has(0) ? readBits(reader.open(column, 0)) : () => true;
}

/** A column without non-null values may have no value streams. */
function createLazyReader(type: OrcType, reader: OrcStripeReader): Next<string> {
  let read: Next<string> | undefined;
  return () => (read ??= createOrcReader(type, reader))();
}

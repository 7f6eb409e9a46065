import { parquetMetadata, parquetSchema } from 'hyparquet';
import type { FileMetaData, RowGroup } from 'hyparquet';
import type { RandomAccess } from '../../sources/seekable-source.ts';
import type { ColumnarTable, TableLimits, TableRow } from '../columnar-table.ts';
import { DamagedFile, UnsupportedFile } from '../damaged-file.ts';
import { createLeafCursor, type LeafCursor } from './leaf-cursor.ts';
import { createPageReader } from './page-reader.ts';
import { readSchema, type ParquetLeaf, type ParquetSchema } from './parquet-schema.ts';
import { valueTypeOf } from './parquet-values.ts';
import { createNodeReader } from './row-assembler.ts';

/** The maximum bytes of the metadata at the end of a file. */
const maxMetadataBytes = 64_000_000;

/** Opens an Apache Parquet file. For each column, one page is in memory at a time. */
export function openParquet(file: RandomAccess, { maxNesting }: TableLimits): ColumnarTable {
  const metadata = readMetadata(file);
  const schema = readSchema(parquetSchema(metadata), maxNesting);
  const types = schema.leaves.map(({ element }) => valueTypeOf(element));
  const columns = schema.columns.map(({ name, node }) => ({
    name,
    type: node.kind === 'leaf' ? (types[node.firstLeaf]?.type ?? 'json') : ('json' as const),
  }));

  function* readGroup(group: RowGroup, isRead: readonly boolean[]): Generator<TableRow> {
    let problem: string | undefined;
    const onProblem = (text: string): void => void (problem ??= text);
    const used = usedLeaves(schema, isRead);
    checkGroup(group, schema.leaves);
    const cursors = schema.leaves.map((leaf, index): LeafCursor => {
      const chunk = group.columns[index]?.meta_data;
      const type = types[index];
      if (!used.has(index) || chunk === undefined || type === undefined) return unusedCursor;
      return createLeafCursor(createPageReader(file, leaf, chunk), leaf, type, onProblem);
    });
    const readers = schema.columns.map(({ node }, index) =>
      isRead[index] === true ? createNodeReader(node, cursors, onProblem) : () => '',
    );
    const count = Number(group.num_rows);
    for (let row = 0; row < count; row++) {
      problem = undefined;
      const values = readers.map((read) => read());
      yield { values, problem };
    }
    if (cursors.some(({ isAtEnd }) => !isAtEnd)) throw new DamagedFile('a column has more values than rows');
  }

  return {
    columns,
    *rows(isRead) {
      for (const group of metadata.row_groups) if (group.num_rows !== 0n) yield* readGroup(group, isRead);
    },
  };
}

function readMetadata(file: RandomAccess): FileMetaData {
  const end = Buffer.from(file.readAt(Math.max(0, file.size - 8), 8));
  const magic = end.toString('latin1', 4);
  if (magic === 'PARE') {
    throw new UnsupportedFile('it is encrypted. Write it without encryption and send it again.');
  }
  if (end.length < 8 || magic !== 'PAR1') throw new DamagedFile('its end is missing');
  const length = end.readUInt32LE(0) + 8;
  if (length > file.size || length > maxMetadataBytes) {
    throw new DamagedFile(`its description has ${String(length)} bytes`);
  }
  const bytes = new Uint8Array(file.readAt(file.size - length, length));
  return parquetMetadata(bytes, { geoparquet: false });
}

/** The leaves of the columns that are stored. */
function usedLeaves({ columns }: ParquetSchema, isRead: readonly boolean[]): Set<number> {
  const used = new Set<number>();
  for (const [index, { node }] of columns.entries()) {
    if (isRead[index] !== true) continue;
    for (let leaf = node.firstLeaf; leaf < node.endLeaf; leaf++) used.add(leaf);
  }
  return used;
}

function checkGroup({ columns, num_rows: count }: RowGroup, leaves: readonly ParquetLeaf[]): void {
  if (!(count >= 0n && count <= BigInt(Number.MAX_SAFE_INTEGER))) {
    throw new DamagedFile(`a group says that it has ${String(count)} rows`);
  }
  if (columns.length !== leaves.length) {
    throw new DamagedFile(`a group has ${String(columns.length)} of ${String(leaves.length)} columns`);
  }
  for (const [
    index,
    { file_path: path, meta_data: metadata, crypto_metadata: crypto },
  ] of columns.entries()) {
    if (crypto !== undefined) {
      throw new UnsupportedFile('it has encrypted columns. Write it without encryption and send it again.');
    }
    if (path !== undefined && path !== '') {
      throw new UnsupportedFile('its values are in other files. Write them into one file and send that.');
    }
    if (metadata?.type !== leaves[index]?.element.type) throw new DamagedFile('a column has two types');
  }
}

/** Stands in for skipped columns. */
const unusedCursor: LeafCursor = {
  definition: () => 0,
  repetition: () => 0,
  take: () => 'null',
  skip: () => undefined,
  isAtEnd: true,
};

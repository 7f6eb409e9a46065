import type { OpenedFile } from '../file-format.ts';
import type { OpenContext } from '../open-context.ts';
import type { DataSource } from '../sources/data-source.ts';
import { toRandomAccess, type RandomAccess } from '../sources/seekable-source.ts';
import { openTable, type ColumnarTable, type TableLimits } from './columnar-table.ts';
import { toFileError } from './damaged-file.ts';

export type ColumnarFormat = 'parquet' | 'avro' | 'orc' | 'arrow';

type OpenTable = (file: RandomAccess, limits: TableLimits) => ColumnarTable;

/** The readers are loaded on demand, because most files need none of them. */
const readers: Readonly<Record<ColumnarFormat, () => Promise<OpenTable>>> = {
  arrow: async () => (await import('./arrow/open-arrow.ts')).openArrow,
  avro: async () => (await import('./avro/open-avro.ts')).openAvro,
  orc: async () => (await import('./orc/open-orc.ts')).openOrc,
  parquet: async () => (await import('./parquet/open-parquet.ts')).openParquet,
};

/** Opens a columnar file. If it is inside another file, it is read into memory first. */
export async function openColumnar(
  source: DataSource,
  format: ColumnarFormat,
  context: OpenContext,
): Promise<OpenedFile> {
  const { options, limits, newPass } = context;
  const { fileName } = options;
  const file = await toRandomAccess(source, newPass(true), limits, fileName);
  const open = await readers[format]();
  try {
    return openTable(format, file.size, open(file, limits), context);
  } catch (error) {
    throw toFileError(error, fileName, format);
  }
}

import { concatenateArrow } from './concatenate-arrow.ts';
import { prependCsvHeader } from './csv-header.ts';
import type { PageConcatenation } from './page-concatenation.ts';
import { concatenateParquet } from './concatenate-parquet.ts';

/** File formats with typed columns. */
export type TableFormat = 'arrow' | 'csv' | 'parquet';

interface EngineFormat {
  /** The name of the format in the engine. */
  name: string;
  settings: Readonly<Record<string, number | string>>;
  join(columns: readonly string[]): PageConcatenation;
}

/** Makes one block of a page, so that its file has one batch of rows. */
const oneBlock = { max_block_size: 1_000_000 };

export const tableFormats: Record<TableFormat, EngineFormat> = {
  csv: {
    name: 'CSV',
    settings: {
      format_csv_null_representation: '',
      output_format_csv_crlf_end_of_line: 1,
      date_time_output_format: 'iso',
    },
    join: prependCsvHeader,
  },
  arrow: {
    name: 'ArrowStream',
    settings: {
      ...oneBlock,
      output_format_arrow_compression_method: 'none',
      output_format_arrow_string_as_string: 1,
      output_format_arrow_low_cardinality_as_dictionary: 0,
    },
    join: concatenateArrow,
  },
  parquet: {
    name: 'Parquet',
    settings: {
      ...oneBlock,
      output_format_parquet_row_group_size: 1_000_000,
      output_format_parquet_string_as_string: 1,
      output_format_parquet_parallel_encoding: 0,
      output_format_parquet_write_bloom_filter: 0,
      output_format_parquet_write_page_index: 0,
    },
    join: concatenateParquet,
  },
};

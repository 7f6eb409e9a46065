import type { VisibleLabels } from '@redoubt/labels';
import { compileLabelPredicate, quoteString, recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { batchOfReplaced, sourceColumnNames, sourceColumns } from '../intake/record-source.ts';
import { qualifyTable, tableName } from './record-table.ts';
import { statementOptions } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';

/** The place in a file that a record comes from. */
export interface RecordPlace {
  /** The id of the file; '' if the record comes from no file. */
  file: string;
  /** Whether a write replaced the record since. The numbers below then mean nothing. */
  isReplaced: boolean;
  /** The number of the first row of the block that the row was stored with. */
  batch: number;
  /** The number of the row in the file, counted from 0. */
  row: number;
  /** The line where the row begins, counted from 1; 0 for formats without lines. */
  line: number;
  /** How many characters of the file come before the row. */
  offset: number;
}

interface Reader {
  datasetId: string;
  visible: VisibleLabels;
  person?: string | undefined;
}

/** The rows of a file whose records are counted. */
export interface CountedRows {
  file: string;
  /** The first row, counted from 0. Without it, all rows count. */
  firstRow?: number | undefined;
  /** The number of rows from the first one on. */
  rows?: number | undefined;
}

/** Finds the files that records come from. */
export interface RecordSources {
  /** Returns the place that a record comes from; undefined if the record is absent or hidden. */
  placeOf(request: Reader & { recordId: string }): Promise<RecordPlace | undefined>;
  /** How many visible records come from each file. Files without visible records are left out. */
  countByFile(request: Reader): Promise<ReadonlyMap<string, number>>;
  /**
   * How many records come from a file, including hidden ones, and how many of these are visible and as they came, not
   * replaced by a write. Never put the total into a response.
   */
  countOfFile(request: Reader & CountedRows): Promise<{ total: number; original: number }>;
  /**
   * Returns the files of all records, including hidden ones. Use it to decide which files to keep, never for a
   * response. Call it after the blocks of the dataset are settled; see `settleBlocks`.
   */
  filesInUse(datasetId: string): Promise<ReadonlySet<string>>;
}

export const createRecordSources = ({
  engine,
  database,
  limits,
}: {
  engine: Engine;
  database: string;
  limits: StoreLimits;
}): RecordSources => {
  const tableOf = (datasetId: string): string => qualifyTable(database, tableName(datasetId));
  const optionsOf = ({ person }: Pick<Reader, 'person'>) =>
    statementOptions(limits, 'querySeconds', 'short', { person });
  return {
    placeOf: async (request) => {
      const { datasetId, visible, recordId } = request;
      const text = await engine.text(
        `SELECT ${sourceColumnNames.join(', ')} FROM ${tableOf(datasetId)} WHERE ${compileLabelPredicate(visible)} AND ${recordColumns.recordId} = ${quoteString(recordId)}`,
        optionsOf(request),
      );
      const [line] = text.split('\n');
      if (line === undefined || line === '') return undefined;
      const [file = '', batch, row, start, offset] = line.split('\t');
      return {
        file,
        isReplaced: Number(batch) === batchOfReplaced,
        batch: Number(batch),
        row: Number(row),
        line: Number(start),
        offset: Number(offset),
      };
    },
    countByFile: async (request) => {
      const { datasetId, visible } = request;
      const text = await engine.text(
        `SELECT ${sourceColumns.file}, count() FROM ${tableOf(datasetId)} WHERE ${compileLabelPredicate(visible)} AND ${sourceColumns.file} != '' GROUP BY ${sourceColumns.file} ORDER BY ${sourceColumns.file}`,
        optionsOf(request),
      );
      return new Map(
        text.split('\n').flatMap((line): [string, number][] => {
          const [file, count] = line.split('\t');
          return file === undefined || count === undefined ? [] : [[file, Number(count)]];
        }),
      );
    },
    countOfFile: async (request) => {
      const { datasetId, visible, file, firstRow, rows = Infinity } = request;
      const ofRows = [
        ...(firstRow === undefined ? [] : [`${sourceColumns.row} >= ${String(firstRow)}`]),
        ...(firstRow === undefined || rows === Infinity
          ? []
          : [`${sourceColumns.row} < ${String(firstRow + rows)}`]),
      ];
      const text = await engine.text(
        `SELECT count(), countIf(${compileLabelPredicate(visible)} AND ${sourceColumns.batch} != ${String(batchOfReplaced)}) FROM ${tableOf(datasetId)} WHERE ${sourceColumns.file} = ${quoteString(file)} AND ${[`${sourceColumns.file} != ''`, ...ofRows].join(' AND ')}`,
        optionsOf(request),
      );
      const [total, original] = text.split('\t');
      return { total: Number(total), original: Number(original) };
    },
    filesInUse: async (datasetId) => {
      const text = await engine.text(
        `SELECT DISTINCT ${sourceColumns.file} FROM ${tableOf(datasetId)} WHERE ${sourceColumns.file} != ''`,
        optionsOf({}),
      );
      return new Set(text.split('\n').filter((line) => line !== ''));
    },
  };
};

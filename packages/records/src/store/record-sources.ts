import type { VisibleLabels } from '@redoubt/labels';
import { compileLabelPredicate, quoteString, recordColumns } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { sourceColumnNames, sourceColumns } from '../intake/record-source.ts';
import { qualifyTable, tableName } from './record-table.ts';
import { statementOptions } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';

/** Where in which file a record comes from. */
export interface RecordPlace {
  /** The id of the file; '' if the record comes from no file. */
  file: string;
  /** The first row of the block with which its row was stored. */
  batch: number;
  /** The place of the row in the file, counted from 0. */
  row: number;
  /** The line where the row begins, counted from 1; 0 for formats without lines. */
  line: number;
  /** The characters before the row. */
  offset: number;
}

interface Reader {
  datasetId: string;
  visible: VisibleLabels;
  person?: string | undefined;
}

/** Which records come from which files. */
export interface RecordSources {
  /** Where a record comes from; undefined for one that is absent or hidden. */
  placeOf(request: Reader & { recordId: string }): Promise<RecordPlace | undefined>;
  /** How many visible records come from each file. Files without visible records are left out. */
  countByFile(request: Reader): Promise<ReadonlyMap<string, number>>;
  /**
   * The files that any record comes from, whatever its label. It is for deciding what to keep, and not for responses. Call it
   * when the blocks of the dataset are settled.
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
    filesInUse: async (datasetId) => {
      const text = await engine.text(
        `SELECT DISTINCT ${sourceColumns.file} FROM ${tableOf(datasetId)} WHERE ${sourceColumns.file} != ''`,
        optionsOf({}),
      );
      return new Set(text.split('\n').filter((line) => line !== ''));
    },
  };
};

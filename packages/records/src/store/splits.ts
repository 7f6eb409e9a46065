import type { VisibleLabels } from '@redoubt/labels';
import { compileSplits } from '@redoubt/query';
import type { Engine } from '../engine/engine.ts';
import { tableName } from './record-table.ts';
import { statementOptions } from './statement-options.ts';
import type { StoreLimits } from './store-limits.ts';

/** A range of record ids, including both ends, which are ids of visible records. */
export interface Split {
  startRecordId: string;
  endRecordId: string;
}

/** Divides the records of a dataset for clients that read its parts in parallel. */
export interface SplitReads {
  /**
   * Splits the visible records into ranges of ids that do not overlap. The bounds depend only on visible records.
   */
  splits(request: {
    datasetId: string;
    visible: VisibleLabels;
    signal?: AbortSignal | undefined;
  }): Promise<Split[]>;
}

export const createSplitReads = ({
  engine,
  database,
  countVisible,
  limits,
}: {
  engine: Engine;
  database: string;
  countVisible: (datasetId: string, visible: VisibleLabels) => Promise<number>;
  limits: StoreLimits;
}): SplitReads => ({
  async splits({ datasetId, visible, signal }) {
    const records = await countVisible(datasetId, visible);
    const size = Math.max(limits.splitRecords, Math.ceil(records / limits.maxSplits));
    const text = await engine.text(
      compileSplits({ table: { database, datasetId: tableName(datasetId) }, visible, size }),
      statementOptions(limits, 'querySeconds', 'long', { signal }),
    );
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [startRecordId = '', endRecordId = ''] = line.split('\t');
        return { startRecordId, endRecordId };
      });
  },
});

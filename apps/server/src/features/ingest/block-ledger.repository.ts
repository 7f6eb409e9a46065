import type { StoredProbe, StoredProbes } from '@redoubt/records';
import type { Db } from '../../platform/db/database.ts';
import { withoutNul } from '../../platform/db/without-nul.ts';
import { settleReplacements } from './replacement.repository.ts';

/** The outcome of a block of rows once it is stored. */
export interface BlockOutcome {
  /** The row after the last row of the block. */
  nextRow: number;
  written: number;
  rejected: number;
  dropped: number;
  /** How many of the written rows replaced a record. */
  replaced?: number;
}

/** A rejected row, with its index in the file from 0. */
export interface Reject {
  row: number;
  line: number;
  offset: number;
  /** The path of its file inside an archive, or the sheet of a workbook. */
  file: string | undefined;
  reason: string;
  text: string;
  /** The label that the labelling rule of the upload gives the row; undefined if it cannot be determined. */
  label: string | undefined;
}

/** Consecutive rows of a file, starting at the first row without a final outcome. */
export interface Block {
  fileId: string;
  datasetId: string;
  firstRow: number;
  outcome: BlockOutcome;
  rejects: readonly Reject[];
}

/**
 * Counts the rows of files exactly once, even if a process dies. A row is added to `ingest_blocks` before each block goes to
 * the record store, and removed in the transaction that counts the block. A row that is left over belongs to a process that
 * died: one of the block's record ids shows whether the block was stored. This is checked before the record can be deleted.
 */
export interface BlockLedger {
  /** Records that a block is about to be stored. @throws Error if another process has continued with the file */
  begin(block: Block & { seed: Buffer; probe: StoredProbe }): Promise<void>;
  /** Records that the pending block of a file is stored. */
  stored(fileId: string): Promise<void>;
  /** Counts the rows of a block that has no record to store. */
  pass(block: Block): Promise<void>;
  /** Finds out which pending blocks of a dataset were stored. Call it while no other work changes the dataset. */
  settle(datasetId: string, probes: StoredProbes): Promise<void>;
}

/** Maximum number of rows of one statement. */
const chunkSize = 1000;

const apply = async (
  trx: Db,
  fileId: string,
  firstRow: number,
  { nextRow, written, rejected, dropped, replaced = 0 }: BlockOutcome,
): Promise<void> => {
  const counted = await trx
    .updateTable('ingest_files')
    .set((row) => ({
      next_row: nextRow,
      written: row('written', '+', written),
      rejected: row('rejected', '+', rejected),
      dropped: row('dropped', '+', dropped),
      replaced: row('replaced', '+', replaced),
    }))
    .where('id', '=', fileId)
    .where('next_row', '=', firstRow)
    .returning('id')
    .executeTakeFirst();
  if (counted === undefined) throw new Error('Another process has gone on with this file.');
};

const keepRejects = async (trx: Db, { fileId, firstRow, rejects }: Block): Promise<void> => {
  // Remove what is left of a block that was not stored.
  await trx
    .deleteFrom('ingest_rejects')
    .where('file_id', '=', fileId)
    .where('row_number', '>=', firstRow)
    .execute();
  for (let from = 0; from < rejects.length; from += chunkSize) {
    const rows = rejects
      .slice(from, from + chunkSize)
      .map(({ row, line, offset, file, reason, text, label }) => ({
        file_id: fileId,
        row_number: row,
        line,
        byte_offset: offset,
        inner_file: file === undefined ? null : withoutNul(file),
        reason: withoutNul(reason),
        text: withoutNul(text),
        label: label ?? null,
      }));
    await trx.insertInto('ingest_rejects').values(rows).execute();
  }
};

export const createBlockLedger = (db: Db): BlockLedger => ({
  begin: (block) =>
    db.transaction().execute(async (trx) => {
      const file = await trx
        .selectFrom('ingest_files')
        .where('id', '=', block.fileId)
        .select('next_row')
        .forUpdate()
        .executeTakeFirst();
      if (file?.next_row !== block.firstRow) throw new Error('Another process has gone on with this file.');
      await keepRejects(trx, block);
      await trx
        .insertInto('ingest_blocks')
        .values({
          file_id: block.fileId,
          dataset_id: block.datasetId,
          seed: block.seed.toString('base64'),
          first_row: block.firstRow,
          record_id: block.probe.recordId,
          stored_at: block.probe.time ?? null,
          outcome: JSON.stringify(block.outcome),
        })
        .execute();
    }),
  stored: (fileId) =>
    db.transaction().execute(async (trx) => {
      const block = await trx
        .deleteFrom('ingest_blocks')
        .where('file_id', '=', fileId)
        .returning(['first_row', 'outcome'])
        .executeTakeFirst();
      if (block === undefined) throw new Error('The block of this file was settled by another process.');
      await apply(trx, fileId, block.first_row, JSON.parse(block.outcome) as BlockOutcome);
    }),
  pass: (block) =>
    db.transaction().execute(async (trx) => {
      await keepRejects(trx, block);
      await apply(trx, block.fileId, block.firstRow, block.outcome);
    }),
  settle: async (datasetId, { isStored, hasStaged }) => {
    await settleReplacements(db, datasetId, hasStaged);
    const blocks = await db
      .selectFrom('ingest_blocks')
      .where('dataset_id', '=', datasetId)
      .selectAll()
      .execute();
    for (const { file_id: fileId, first_row: firstRow, seed, outcome, ...probe } of blocks) {
      const wasStored = await isStored({ recordId: probe.record_id, time: probe.stored_at ?? undefined });
      await db.transaction().execute(async (trx) => {
        const gone = await trx
          .deleteFrom('ingest_blocks')
          .where('file_id', '=', fileId)
          .where('seed', '=', seed)
          .returning('file_id')
          .executeTakeFirst();
        if (gone === undefined || !wasStored) return;
        await apply(trx, fileId, firstRow, JSON.parse(outcome) as BlockOutcome);
      });
    }
  },
});

import { securityError } from '@redoubt/errors';
import type { InnerDocument } from '@redoubt/file-formats';
import type { Member } from '../../platform/auth/actor.ts';
import { withoutNul } from '../../platform/db/without-nul.ts';
import { listLabelTokens, resolveVisibleLabels } from '../records/index.ts';
import { blockOf, maxRejectText, parseRows, rejectOf, type FoundReject } from './block-rows.ts';
import { expandSeed, seedBytes } from './block-seed.ts';
import { createDocumentRecords, type ToDocumentRecord } from './document-rows.ts';
import { createDocumentPlacing } from './inner-documents.ts';
import { fileError, recordIdColumn, refuseRecordIds } from './file-columns.ts';
import type { LoadFileDeps, LoadRequest, ParsedRow } from './load-request.ts';
import { requireIngest } from './require-ingest.ts';
import { createRowMemory, type RowMemory } from './row-memory.ts';
import { labelInfoOf } from './row-labeller.ts';
import { sourceOf } from './row-source.ts';
import { createUpsertBlock } from './upsert-block.ts';

interface PreparedBlock {
  /** Stores the block and its rejected rows. Call it once. */
  store(): Promise<void>;
  /** Frees the memory of its rows. */
  discard(): void;
}

const blockBytes = 8_000_000;

const sameRow: ToDocumentRecord = (json) => json;

/** Reads the output of a parser and stores the rows in blocks. */
export const createLoadFile = (deps: LoadFileDeps) => {
  const {
    requireUse,
    access,
    audit,
    clock,
    random,
    held,
    ledger,
    store,
    afterWrite,
    maxAttributes,
    blockRows,
  } = deps;

  const requireTokens = async (
    actor: Member,
    request: LoadRequest,
    labels: readonly string[],
  ): Promise<void> => {
    const tokens = listLabelTokens(labels);
    const own = new Set(await held.heldTokens(actor));
    for (const token of tokens) if (!own.has(token)) request.foreignTokens.add(token);
    // All unheld tokens count, whether or not they exist: otherwise the limit would disclose which ones do.
    if (request.foreignTokens.size > maxAttributes) {
      throw securityError(
        `The labels of this job name more than ${String(maxAttributes)} attributes that you do not hold. Check that the right columns hold the labels, or send the files in several uploads.`,
      );
    }
    await held.ensureTokens(actor, tokens);
  };

  const enter = async ({ job: { datasetId, signal, actor: authenticate }, options }: LoadRequest) => {
    signal.throwIfAborted();
    const actor = await authenticate();
    await requireUse(actor, options);
    return { actor, accessible: await requireIngest(access, actor, datasetId, options) };
  };

  const upsertBlock = createUpsertBlock({ ...deps, enter, requireTokens });

  /** Parses and labels the rows of a block. */
  const prepareBlock = async (
    request: LoadRequest,
    rows: readonly ParsedRow[],
    rejects: FoundReject[],
    firstRow: number,
    nextRow: number,
  ): Promise<PreparedBlock> => {
    const { job, fileId, fileName, options, slot } = request;
    const { datasetId } = job;
    if (options.write?.mode === 'upsert') {
      const { keys } = options.write;
      const store = async (): Promise<void> => {
        await upsertBlock(request, { rows, rejects, firstRow, nextRow }, keys);
      };
      return { store, discard: () => undefined };
    }
    const place = { fileId, datasetId, firstRow, nextRow };
    const { actor, accessible } = await enter(request);
    if (rows.length === 0)
      return {
        store: () => ledger.pass(blockOf(place, rejects, options)),
        discard: () => undefined,
      };
    const visible = await resolveVisibleLabels({ heldTokens: held.heldTokens, store }, actor, accessible);
    const parsed = await parseRows(store, rows);
    try {
      const seed = random.bytes(seedBytes);
      const prepared = await store.prepareWrite({
        datasetId,
        parsed,
        ...labelInfoOf(options),
        visible,
        block: {
          time: clock.now().getTime(),
          random: expandSeed(seed, rows.length),
          source: sourceOf(fileId, firstRow, rows),
        },
      });
      if (prepared.replacing > 0) throw recordIdColumn(fileName, rows[0]?.line ?? 0);
      for (const { index, reason } of prepared.rejects) {
        const row = rows[index];
        if (row !== undefined) rejects.push(rejectOf(row, reason));
      }
      const { dropped, added: written, firstId } = prepared;
      const storeRows = async (): Promise<void> => {
        // The rights may have been revoked since the block was prepared.
        const { actor: writer, accessible: target } = await enter(request);
        if (firstId === undefined) {
          await ledger.pass(blockOf(place, rejects, options, { dropped }));
          return;
        }
        await requireTokens(writer, request, prepared.labels);
        const onDecided = async (labels: ReadonlyMap<string, number>): Promise<void> => {
          await ledger.begin({
            ...blockOf(place, rejects, options, { dropped, written }),
            seed,
            probe: { recordId: firstId },
          });
          // Rows that wait in a slot are logged when they replace the visible records.
          if (slot !== null) return;
          await audit.log(writer, {
            type: 'WriteRecords',
            description: 'ingests records',
            datasetId,
            details: { jobId: job.id },
            labels,
          });
        };
        await prepared.commit({
          mayRelabel: false,
          columnVersion: target.dataset.column_version,
          onDecided,
          onBlockStored: () => ledger.stored(fileId),
          slot: slot ?? undefined,
        });
        await request.stored(written);
        if (slot === null) await afterWrite(target.dataset, false);
      };
      return { store: storeRows, discard: () => parsed.release() };
    } catch (error) {
      parsed.release();
      throw error;
    }
  };

  /** @throws RedoubtError if the rest of the file cannot be read; the rows before it are stored */
  return async (request: LoadRequest): Promise<void> => {
    const { fileName, items, progress } = request;
    let row = 0;
    let file: string | undefined;
    let toRecord = sameRow;
    let inner: InnerDocument | undefined;
    const placing = createDocumentPlacing(request.fileId);
    const keepInner = async (): Promise<void> => {
      const documents = placing.take();
      if (documents.length > 0) await request.keepInner?.(documents);
    };
    let firstRow = request.nextRow;
    let rows: ParsedRow[] = [];
    let memory = createRowMemory();
    let rejects: FoundReject[] = [];
    let bytes = 0;
    /** Resolve when the last block is stored, and when the one before it is. */
    let stored = Promise.resolve();
    let storedBefore = Promise.resolve();
    /** A block is prepared while the one before it is stored and the next one is read, so memory holds at most three. */
    const flush = async (): Promise<void> => {
      await storedBefore;
      await keepInner();
      if (row <= firstRow) return;
      const prepared = prepareBlock(request, rows, rejects, firstRow, row);
      storedBefore = stored;
      stored = storeAfter(storedBefore, prepared, memory);
      stored.catch(() => undefined);
      firstRow = row;
      rows = [];
      memory = createRowMemory();
      rejects = [];
      bytes = 0;
    };
    try {
      for await (const item of items) {
        switch (item.kind) {
          case 'opened': {
            refuseRecordIds(fileName, item.opened);
            await request.opened(item.opened.format, item.opened.containers ?? []);
            if (request.document !== undefined)
              toRecord = createDocumentRecords(request.document, item.opened.format);
            break;
          }
          case 'inside':
            ({ file } = item);
            break;
          case 'begin':
            inner = item.document;
            placing.begin(inner, row);
            break;
          case 'progress':
            await progress(item.bytes);
            break;
          case 'fault':
            await flush();
            await stored;
            throw fileError(fileName, item.line, withoutNul(item.text));
          case 'row': {
            placing.page();
            // An earlier attempt of this job has stored or rejected this row.
            if (row++ < firstRow) break;
            const json = toRecord(item.json, inner);
            rows.push({
              row: row - 1,
              line: item.line,
              offset: item.offset,
              file,
              json: memory.copy(json),
            });
            bytes += json.length;
            break;
          }
          case 'reject': {
            placing.end(row);
            if (row++ < firstRow) break;
            const { line, offset, reason, text, fields } = item;
            rejects.push({
              row: row - 1,
              line,
              offset,
              file,
              reason,
              text: text.slice(0, maxRejectText),
              fields,
            });
            bytes += text.length + (fields?.length ?? 0);
            break;
          }
        }
        if (rows.length + rejects.length >= blockRows || bytes >= blockBytes) await flush();
      }
      placing.end(row);
      await flush();
    } finally {
      // Even after an error, nothing may be stored once the job has ended.
      await stored;
    }
  };
};

/** Stores a block as soon as the one before it is stored. */
const storeAfter = async (
  before: Promise<void>,
  prepared: Promise<PreparedBlock>,
  memory: RowMemory,
): Promise<void> => {
  const [earlier, own] = await Promise.allSettled([before, prepared]);
  try {
    if (earlier.status === 'rejected') throw earlier.reason;
    if (own.status === 'rejected') throw own.reason;
    await own.value.store();
  } finally {
    if (own.status === 'fulfilled') own.value.discard();
    memory.free();
  }
};

export type LoadFile = ReturnType<typeof createLoadFile>;

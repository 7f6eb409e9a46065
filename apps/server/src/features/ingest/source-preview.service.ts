import {
  DataSourceParams,
  maxPreviewBytes,
  maxPreviewRows,
  maxPreviewSegments,
  type PreviewRow,
  type SourcePreview,
  type SourcePreviewRequest,
  type UploadPreview,
} from '@redoubt/contract';
import { forbidden, RedoubtError } from '@redoubt/errors';
import { evaluateLabel, parseLabel } from '@redoubt/labels';
import type { Member } from '../../platform/auth/actor.ts';
import { requireOwnWorkspace } from '../../platform/auth/guards.ts';
import { copyToTemporaryFile } from '../../platform/files/index.ts';
import { createValidator } from '../../platform/http/validation.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { fileError, parserTask, requiredColumnsOf } from './file-columns.ts';
import { refuseDocuments, toDocumentOptions, toIngestOptions, type IngestOptions } from './ingest-options.ts';
import { isAboutSource, toShownError } from './hidden-errors.ts';
import { createSatisfiesMinimum } from './satisfies-minimum.ts';
import { parseFile, type ParserHost } from './parser/start-parser.ts';
import { emptyPreview, readPreviewRows } from './preview-rows.ts';
import type { PreviewShares } from './preview-shares.ts';
import { readingOf } from './sources/reading-of.ts';
import { UnchangedSegmentError, type Source, type SourceSegment } from './sources/source.ts';
import type { OpenSource, StoredConnections } from './sources/sources.ts';

export interface SourcePreviewService {
  /** Reads the beginning of the first segment of a source. No job is started and nothing is stored. */
  preview(actor: Member, body: SourcePreviewRequest, signal: AbortSignal): Promise<SourcePreview>;
}

const requireParams = createValidator(DataSourceParams, 'dataSourceParams');

/** How many bytes of formats are read that can be read from their beginning. */
const beginningBytes = 1024 * 1024;
/** The first bytes of formats that have their structure at the end. */
const wholeFormats = ['PAR1', 'PK\x03\x04', 'ORC', 'ARROW1'];
const newline = 0x0a;

/** Reports a host that could not be read as buckets and databases do, so that all sources fail with the same error. */
const toSourceError = (error: RedoubtError): RedoubtError =>
  error.name === 'HttpClientError' ? new RedoubtError('DatasourceError', error.message) : error;

/** The first segments of a source, and whether there are more. */
const firstSegments = async (
  source: Source,
  signal: AbortSignal,
): Promise<{ segments: SourceSegment[]; hasMore: boolean }> => {
  const segments: SourceSegment[] = [];
  for await (const segment of source.turns?.present(signal) ?? source.list(signal)) {
    if (segments.length === maxPreviewSegments) return { segments, hasMore: true };
    segments.push(segment);
  }
  return { segments, hasMore: false };
};

/**
 * The rows of a stored connection whose label the actor satisfies, counted anew: people who may use a connection need not
 * see all that it reads.
 */
const onlyVisible = (rows: readonly PreviewRow[], tokens: readonly string[]): PreviewRow[] => {
  const held = new Set(tokens);
  return rows
    .filter(({ label }) => label !== null && evaluateLabel(parseLabel(label), held))
    .map((row, index) => ({ ...row, line: index + 1 }));
};

/** A preview for people who see no row of the connection: columns, their types and errors would tell of rows. */
const withoutContent = (
  { format }: UploadPreview,
  { reading: { columns, ...given } = {} }: Pick<IngestOptions, 'reading'>,
): UploadPreview => ({
  ...emptyPreview,
  format,
  fileOptions: { ...given, ...(columns && { columns: [...columns] }) },
});

/** What was read of a segment; `isPartial` once it has ended before its last byte. */
interface Beginning {
  isPartial: boolean;
}

/** The bytes of a segment; none of topics without messages. */
async function* orNothing(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    if (!(error instanceof UnchangedSegmentError)) throw error;
  }
}

/**
 * Passes on as many bytes as a preview needs.
 * @param reads `lines` of a database or topic, the beginning of a `table`, or a `document`, which is read whole
 */
async function* beginningOf(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  reads: 'lines' | 'table' | 'document',
  beginning: Beginning,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  let lines = 0;
  let limit: number | undefined;
  for await (const chunk of bytes) {
    if (limit === undefined) {
      const start = Buffer.from(chunk.subarray(0, 8)).toString('latin1');
      const isWhole = reads === 'document' || wholeFormats.some((signature) => start.startsWith(signature));
      limit = isWhole ? maxPreviewBytes : beginningBytes;
    }
    size += chunk.length;
    if (size > maxPreviewBytes && limit === maxPreviewBytes) {
      throw fileError(
        name,
        0,
        `it has more than ${String(maxPreviewBytes)} bytes and its format cannot be read from the beginning, so it has no preview. POST /ingest reads it.`,
      );
    }
    yield chunk;
    if (reads === 'lines') for (const byte of chunk) lines += Number(byte === newline);
    if (size >= limit || lines > maxPreviewRows) {
      beginning.isPartial = true;
      return;
    }
  }
}

/** The preview of a document that cannot be read, while others of the source can. @throws the error if it is of the source */
const unreadable = (error: unknown): UploadPreview => {
  if (!(error instanceof RedoubtError) || error.name !== 'FileParseError') throw error;
  return { ...emptyPreview, error: error.message };
};

const changedMeanwhile = (): RedoubtError =>
  forbidden(
    'The connection was changed while it was read, or you may no longer use it. Send the request again, or ask a person who manages the connection.',
  );

/** A preview keeps nothing for later jobs. */
const noReadRows = { id: '', find: async () => new Set<string>(), add: async () => undefined };

export const createSourcePreviewService = ({
  access,
  connections,
  parserHost,
  shares,
  openSource,
  held,
}: {
  access: Pick<DatasetAccess, 'requireCall'>;
  connections: Pick<StoredConnections, 'logUse' | 'requireUse'>;
  parserHost: () => Promise<ParserHost>;
  shares: PreviewShares;
  openSource: OpenSource;
  held: Pick<HeldAttributes, 'heldTokens'>;
}): SourcePreviewService => {
  const satisfiesMinimum = createSatisfiesMinimum(held);
  const readFirst = async (
    actor: Member,
    source: Source,
    options: IngestOptions,
    signal: AbortSignal,
  ): Promise<SourcePreview> => {
    const { segments, hasMore } = await firstSegments(source, signal);
    const [first] = segments;
    if (first === undefined) throw new RedoubtError('DatasourceError', 'The source has no files.');
    const { place } = first;
    const found = { files: segments.map((segment) => segment.name), hasMoreFiles: hasMore };
    // Rows of a database are in no file, so errors name the table alone.
    const name = source.reading === undefined ? first.name : first.name.replace(/\.ndjson$/, '');
    const beginning: Beginning = { isPartial: false };
    const bytes = source.read(place, {
      name,
      signal,
      known: undefined,
      onVersion: () => undefined,
      onReaderName: () => undefined,
      onDuplicates: () => undefined,
      onRead: () => undefined,
      readRows: noReadRows,
      columns: options.reading?.columns ?? [],
      requiredColumns: requiredColumnsOf(options),
    });
    const isDocument = options.isDocument === true;
    const reads = isDocument ? 'document' : source.reading === undefined ? 'table' : 'lines';
    const read = async (): Promise<UploadPreview> => {
      const file = await copyToTemporaryFile(beginningOf(orNothing(bytes), name, reads, beginning));
      try {
        return await shares.whileParsing(actor, async () => {
          const items = parseFile(await parserHost(), file.fd, parserTask(name, options), signal);
          return readPreviewRows(items, name, options, beginning.isPartial);
        });
      } finally {
        await file.close();
      }
    };
    const preview = isDocument ? await read().catch(unreadable) : await read();
    const shown =
      options.connectionId === undefined
        ? preview
        : (await satisfiesMinimum(actor, options))
          ? { ...preview, rows: onlyVisible(preview.rows, await held.heldTokens(actor)) }
          : withoutContent(preview, options);
    return { ...shown, ...found };
  };

  return {
    preview: async (
      actor,
      { workspaceId, datasetId, dataSourceParams, processAsDocument, ...sent },
      signal,
    ) => {
      if (workspaceId !== undefined && workspaceId !== null) requireOwnWorkspace(actor, workspaceId);
      await access.requireCall(actor, datasetId, 'previewIngest');
      const requested = toIngestOptions(sent);
      requireParams(dataSourceParams);
      const { type, connectionId, connectionInfo = {} } = dataSourceParams;
      const { source, minimumLabel } = await openSource(actor, { type, connectionId, connectionInfo });
      const isDocument = processAsDocument === true || source.asDocuments === true;
      if (isDocument) refuseDocuments(source);
      const asked = isDocument ? toDocumentOptions(requested) : requested;
      const options: IngestOptions = {
        ...asked,
        connectionId,
        minimumLabel: minimumLabel ?? undefined,
        reading: readingOf(asked, source),
      };
      return shares.whileArriving(actor, async () => {
        if (connectionId !== undefined) await connections.logUse(actor, connectionId, { datasetId });
        /** @throws RedoubtError 403 if what was read is under other rights than those that the request had at its beginning */
        const requireUnchanged = (): Promise<void> =>
          connections
            .requireUse(actor, { connectionId, minimumLabel: options.minimumLabel })
            .catch((error: unknown) => {
              throw error instanceof RedoubtError ? changedMeanwhile() : error;
            });
        const preview = await readFirst(actor, source, options, signal).catch(async (error: unknown) => {
          if (!isAboutSource(error)) throw error;
          await requireUnchanged();
          throw toSourceError(toShownError(error, options, await satisfiesMinimum(actor, options)));
        });
        await requireUnchanged();
        return preview;
      });
    },
  };
};

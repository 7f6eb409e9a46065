import { maxPreviewBytes, maxPreviewRows, type PreviewRow, type UploadPreview } from '@redoubt/contract';
import { badField, tooLarge, tooMany } from '@redoubt/errors';
import { createRecordLabeller, type RecordLabeller } from '@redoubt/labels';
import { duplicateKey } from '@redoubt/records';
import type { Multipart } from '@fastify/multipart';
import type { Readable } from 'node:stream';
import type { Member } from '../../platform/auth/actor.ts';
import { withoutNul } from '../../platform/db/without-nul.ts';
import { copyToTemporaryFile } from '../../platform/files/index.ts';
import { optionsAsRead } from './file-options.ts';
import {
  labelFieldsOf,
  optionParts,
  parseFlag,
  parseOptionParts,
  type IngestOptions,
} from './ingest-options.ts';
import { fileError, parserTask, refuseRecordIds } from './file-columns.ts';
import { parseFile, type ParserHost, type ParserItem } from './parser/start-parser.ts';
import { createPersonShares, type PersonShares } from './person-shares.ts';
import { receiveParts } from './receive-parts.ts';

export interface PreviewService {
  /** Reads the beginning of the file of a multipart body. Nothing is stored. */
  preview(actor: Member, parts: AsyncIterable<Multipart>, signal: AbortSignal): Promise<UploadPreview>;
}

const previewParts = [...optionParts, 'isPartial'] as const;

const noFields: Readonly<Record<string, unknown>> = {};

const stored = (line: number, record: string, label: string, outcome: 'replaced' | 'stored'): PreviewRow => ({
  line,
  outcome,
  record,
  label,
  reason: null,
  text: null,
});

const rejected = (line: number, reason: string, text: string): PreviewRow => ({
  line,
  outcome: 'rejected',
  record: null,
  label: null,
  reason,
  text,
});

/** Labels a row or rejects it, as an ingest of the file would. */
const labelRow = (labeller: RecordLabeller, readsFields: boolean, line: number, json: string): PreviewRow => {
  if (readsFields && duplicateKey(json) !== undefined) {
    return rejected(
      line,
      'it has a key twice; a record whose label comes from a field has each key once.',
      json,
    );
  }
  const outcome = labeller.label(readsFields ? (JSON.parse(json) as Record<string, unknown>) : noFields);
  switch (outcome.kind) {
    case 'label':
      return stored(line, json, outcome.label, outcome.outcome === 'replaced' ? 'replaced' : 'stored');
    case 'drop':
      return { line, outcome: 'dropped', record: json, label: null, reason: null, text: null };
    case 'error':
      return rejected(line, `${outcome.field} ${outcome.predicate}`, json);
  }
};

/** Maximum number of bytes of the rows of a preview. */
const maxShownBytes = 4_000_000;

const readRows = async (
  items: AsyncIterable<ParserItem>,
  name: string,
  options: IngestOptions,
  isPartial: boolean,
): Promise<UploadPreview> => {
  const labeller = createRecordLabeller(options.securityLabelInfo);
  const readsFields = labelFieldsOf(options.securityLabelInfo).length > 0;
  const preview: UploadPreview = {
    format: '',
    encoding: null,
    dialect: null,
    columns: null,
    sourceColumns: null,
    fileOptions: {},
    rows: [],
    error: null,
  };
  let bytes = 0;
  for await (const item of items) {
    if (item.kind === 'row') bytes += item.json.length;
    if (item.kind === 'reject') bytes += item.text.length;
    if (bytes > maxShownBytes) {
      preview.error = `${name}: its first rows have more than ${String(maxShownBytes)} bytes, so the preview ends here. An upload stores all rows.`;
      return preview;
    }
    switch (item.kind) {
      case 'opened': {
        const { format, encoding, dialect, columns, sourceColumns } = item.opened;
        refuseRecordIds(name, item.opened);
        preview.format = format;
        preview.encoding = encoding ?? null;
        preview.dialect = dialect ?? null;
        preview.columns = columns?.map(({ name: column, type }) => ({ name: column, type })) ?? null;
        preview.sourceColumns = sourceColumns ?? null;
        preview.fileOptions = optionsAsRead(options.reading ?? {}, item.opened);
        break;
      }
      case 'row':
        preview.rows.push(labelRow(labeller, readsFields, item.line, item.json.toString('utf8')));
        break;
      case 'reject':
        preview.rows.push(rejected(item.line, item.reason, item.text));
        break;
      case 'fault':
        if (preview.format === '') throw fileError(name, item.line, withoutNul(item.text));
        // The file may continue after the part that was sent.
        preview.error = isPartial ? null : fileError(name, item.line, withoutNul(item.text)).message;
        break;
      case 'inside':
      case 'progress':
        break;
    }
    if (preview.rows.length === maxPreviewRows) return preview;
  }
  // The last row of an incomplete file may be incomplete.
  if (isPartial) preview.rows.pop();
  return preview;
};

/** The limits on concurrent previews, for one person and for the server: previews whose file arrives, and previews whose file is parsed. */
const arriving = { perPerson: 4 };
const parsing = { perPerson: 2, total: 6 };

const tooManyOf = (exhausted: 'person' | 'server'): Error =>
  tooMany(
    exhausted === 'person'
      ? 'You have too many previews running. Wait until one of them has ended, then send the request again.'
      : 'Too many files are being previewed. Send the request again in a few seconds.',
    2,
  );

/** Runs work while the person holds a share. @throws ForbiddenError 429 if there is none left */
const withShare = async <Result>(
  shares: PersonShares,
  { accountId }: Member,
  work: () => Promise<Result>,
): Promise<Result> => {
  const exhausted = shares.take(accountId, 1);
  if (exhausted !== undefined) throw tooManyOf(exhausted);
  try {
    return await work();
  } finally {
    shares.giveBack(accountId, 1);
  }
};

interface ReceivedFile {
  name: string;
  file: Awaited<ReturnType<typeof copyToTemporaryFile>>;
}

/** Receives the one file of a preview into a temporary file, which is added to the list. */
const createReceive =
  (received: ReceivedFile[]) =>
  async (name: string, content: Readable): Promise<void> => {
    if (received.length > 0) throw badField('files', 'must contain one file, got two. Send one.');
    let size = 0;
    const bounded = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxPreviewBytes) {
          throw tooLarge(
            `files must contain at most ${maxPreviewBytes} bytes, got more. Send its beginning with isPartial.`,
          );
        }
        yield chunk;
      }
    };
    received.push({ name, file: await copyToTemporaryFile(bounded()) });
  };

export const createPreviewService = ({
  parserHost,
}: {
  parserHost: () => Promise<ParserHost>;
}): PreviewService => {
  const arrivals = createPersonShares(arriving);
  const parsers = createPersonShares(parsing);

  const previewNow = async (
    actor: Member,
    parts: AsyncIterable<Multipart>,
    signal: AbortSignal,
  ): Promise<UploadPreview> => {
    const received: ReceivedFile[] = [];
    try {
      const texts = await receiveParts(parts, previewParts, {
        beforeFile: async () => undefined,
        file: createReceive(received),
      });
      const options = parseOptionParts(texts);
      const isPartial = parseFlag('isPartial', texts.get('isPartial'));
      const [{ name, file } = { name: '', file: undefined }] = received;
      if (file === undefined) throw badField('files', 'must contain one file, got none. Send one.');
      const task = parserTask(name, options);
      return await withShare(parsers, actor, async () =>
        readRows(parseFile(await parserHost(), file.fd, task, signal), name, options, isPartial),
      );
    } finally {
      for (const { file } of received) await file.close();
    }
  };

  return {
    // The file is kept until the response, so the limit on arriving files also limits how many a person can keep.
    preview: (actor, parts, signal) => withShare(arrivals, actor, () => previewNow(actor, parts, signal)),
  };
};

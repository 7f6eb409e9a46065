import { maxPreviewBytes, type TextPart, type UploadPreview } from '@redoubt/contract';
import { badField, tooLarge } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import { copyToTemporaryFile } from '../../platform/files/index.ts';
import type { Part } from '../../platform/http/multipart/multipart.ts';
import { optionParts, parseFlag, parseOptionParts } from './ingest-options.ts';
import { parserTask } from './file-columns.ts';
import { parseFile, type ParserHost } from './parser/start-parser.ts';
import { readPreviewRows } from './preview-rows.ts';
import type { PreviewShares } from './preview-shares.ts';
import { receiveParts } from './receive-parts.ts';

export interface PreviewService {
  /** Reads the beginning of the file of a multipart body. Nothing is stored. */
  preview(actor: Member, parts: AsyncIterable<Part>, signal: AbortSignal): Promise<UploadPreview>;
}

const previewParts = [
  ...optionParts,
  'isPartial',
  'processAsDocument',
] as const satisfies readonly TextPart[];

interface ReceivedFile {
  name: string;
  file: Awaited<ReturnType<typeof copyToTemporaryFile>>;
}

/** Receives the one file of a preview into a temporary file, which is added to the list. */
const createReceive =
  (received: ReceivedFile[]) =>
  async (name: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
    if (received.length > 0) throw badField('files', 'must contain one file, got two. Send one.');
    let size = 0;
    const bounded = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of content) {
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
  shares,
}: {
  parserHost: () => Promise<ParserHost>;
  shares: PreviewShares;
}): PreviewService => {
  const previewNow = async (
    actor: Member,
    parts: AsyncIterable<Part>,
    signal: AbortSignal,
  ): Promise<UploadPreview> => {
    const received: ReceivedFile[] = [];
    try {
      const texts = await receiveParts(parts, { names: previewParts, file: createReceive(received) });
      const isDocument = parseFlag('processAsDocument', texts.get('processAsDocument'));
      const options = parseOptionParts(texts, {}, isDocument);
      const isPartial = parseFlag('isPartial', texts.get('isPartial'));
      if (isPartial && isDocument) {
        throw badField(
          'isPartial',
          'must not be true with processAsDocument: true, because documents cannot be read from their beginning. Send the whole file, or leave one of them out.',
        );
      }
      const [{ name, file } = { name: '', file: undefined }] = received;
      if (file === undefined) throw badField('files', 'must contain one file, got none. Send one.');
      const task = parserTask(name, options);
      return await shares.whileParsing(actor, async () =>
        readPreviewRows(parseFile(await parserHost(), file.fd, task, signal), name, options, isPartial),
      );
    } finally {
      for (const { file } of received) await file.close();
    }
  };

  return {
    // The file is kept until the response, so the limit on arriving files also limits how many a person can keep.
    preview: (actor, parts, signal) => shares.whileArriving(actor, () => previewNow(actor, parts, signal)),
  };
};

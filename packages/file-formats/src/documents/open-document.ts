import type { ByteSource, FileOptions, OpenedFile } from '../file-format.ts';
import { FileParseError } from '../file-parse-error.ts';
import type { OpenContext } from '../open-context.ts';
import { fromByteSource, type DataSource } from '../sources/data-source.ts';
import { readHead } from '../sources/read-head.ts';
import { readWhole } from '../sources/seekable-source.ts';
import { openText, sampleBytes } from '../text/open-text.ts';
import { detectDocument, detectTextDocument } from './detect-document.ts';
import { isImage, type DocumentFormatName } from './document-formats.ts';
import { pageRow } from './document-page.ts';
import { createOpenContext } from '../open-file.ts';

/**
 * Opens a file as a document. Its rows are its pages, each with the keys `page` and `text`; a format without pages is
 * one page.
 * @throws FileParseError when the file is no document or cannot be read
 */
export const openDocument = async (source: ByteSource, options: FileOptions): Promise<OpenedFile> =>
  openData(fromByteSource(source), { ...createOpenContext(options), open: openData });

async function openData(data: DataSource, context: OpenContext): Promise<OpenedFile> {
  const { fileName } = context.options;
  const { head, isWhole } = await readHead(data, context.newPass(false), sampleBytes);
  if (head.length === 0) throw new FileParseError(fileName, 0, 'it is empty. Send a file with content.');
  const detected = detectDocument(head);
  switch (detected.kind) {
    case 'unsupported':
      throw new FileParseError(fileName, 0, detected.message);
    case 'zip': {
      const { openZipDocument } = await import('./zip-document.ts');
      return openZipDocument(data, context, (format, texts) => pagesOf(format, texts, context));
    }
    case 'text':
      return openTextDocument(data, head, isWhole, context);
    case 'format':
      if (detected.format === 'pdf') return (await import('./open-pdf.ts')).openPdf(data, context);
      if (isImage(detected.format))
        return (await import('./open-image-document.ts')).openImageDocument(data, detected.format, context);
      if (detected.format === 'heif') return openHeif(await bytesOf(data, context), context);
      if (detected.format !== 'rtf') return pagesOf(detected.format, [''], context);
      return pagesOf('rtf', await officeText(await bytesOf(data, context), 'rtf', fileName), context);
  }
}

/** The libraries are loaded when they are needed, because each takes longer to load than most files to read. */
const officeText = async (bytes: Buffer, format: 'html' | 'rtf', fileName: string): Promise<string[]> =>
  (await import('./office-text.ts')).readOfficeText(bytes, format, fileName);

const bytesOf = (data: DataSource, context: OpenContext): Promise<Buffer> =>
  readWhole(data, context.newPass(true), context.limits, context.options.fileName);

/** A picture of a kind that cannot be decoded. Its fields of EXIF can be read. */
async function openHeif(bytes: Buffer, { limits, options: { fileName } }: OpenContext): Promise<OpenedFile> {
  const { readExif } = await import('./images/read-exif.ts');
  const row = pageRow(1, '', limits, fileName, { exif: readExif(bytes) });
  return {
    format: 'heif',
    containers: [],
    async *rows() {
      yield [row];
    },
  };
}

function pagesOf(
  format: DocumentFormatName,
  texts: readonly string[],
  { limits, options }: OpenContext,
  encoding?: string,
): OpenedFile {
  const { fileName } = options;
  return {
    format,
    containers: [],
    ...(encoding === undefined ? {} : { encoding }),
    async *rows() {
      for (const [index, text] of texts.entries()) yield [pageRow(index + 1, text, limits, fileName)];
    },
  };
}

async function openTextDocument(
  data: DataSource,
  head: Buffer,
  isWhole: boolean,
  context: OpenContext,
): Promise<OpenedFile> {
  const { fileName } = context.options;
  const text = openText(data, head, isWhole, context);
  if (text.sample.includes('\0'))
    throw new FileParseError(
      fileName,
      0,
      'it is not text, and its format is not supported. See the supported file types, or save it as PDF.',
    );
  const format = detectTextDocument(text.sample, fileName);
  switch (format) {
    case 'mbox':
      return (await import('./mail/open-mailbox.ts')).openMailbox(data, context);
    case 'mail':
      return (await import('./mail/open-mail.ts')).openMail(await bytesOf(data, context), context);
    case 'html': {
      const parts: string[] = [];
      for await (const chunk of text.chunks()) parts.push(chunk.text);
      const html = Buffer.from(parts.join(''));
      return pagesOf('html', await officeText(html, 'html', fileName), context, text.encoding);
    }
    case 'text':
      return pagesOf('text', [await wholeText(text, context)], context, text.encoding);
  }
}

async function wholeText(
  { chunks, invalidText }: ReturnType<typeof openText>,
  { limits, options: { fileName } }: OpenContext,
): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  for await (const { text } of chunks()) {
    const invalid = invalidText(text);
    if (invalid !== undefined) throw new FileParseError(fileName, 0, invalid);
    length += text.length;
    parts.push(text);
    // The check of the row gives the message; here, only memory counts.
    if (length > limits.maxRowLength) break;
  }
  return parts.join('');
}

import { OfficeParser } from 'officeparser';
import { FileParseError } from '../file-parse-error.ts';

type OfficeFormat = 'docx' | 'pptx' | 'xlsx' | 'odt' | 'odp' | 'ods' | 'rtf' | 'html';
type OfficeDocument = Awaited<ReturnType<typeof OfficeParser.parseOffice>>;
type OfficeNode = OfficeDocument['content'][number];

/** The nodes that are pages, for formats that have some. */
const pageTypes: ReadonlySet<string> = new Set(['slide', 'sheet']);

/** Reads the texts of the pages of a document, or one text if its format has no pages. */
export async function readOfficeText(
  bytes: Buffer,
  format: OfficeFormat,
  fileName: string,
): Promise<string[]> {
  try {
    const document: OfficeDocument = await OfficeParser.parseOffice(bytes, {
      fileType: format,
      extractAttachments: false,
      ocr: false,
    });
    const pages = document.content.filter(({ type }) => pageTypes.has(type));
    const parts = pages.length > 0 ? pages.map((page) => [page]) : [document.content];
    const texts: string[] = [];
    for (const part of parts) texts.push(await textOf(document, part));
    return texts;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^\[OfficeParser\]: /, '') : String(error);
    throw new FileParseError(
      fileName,
      0,
      `the document cannot be read as ${format} (${reason.slice(0, 300)}). Save it again and send that.`,
    );
  }
}

const textOf = async (document: OfficeDocument, content: OfficeNode[]): Promise<string> =>
  (await { ...document, content }.to('text')).value;

import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { FileParseError } from '../../file-parse-error.ts';
import { cleanName, nameByType } from '../inner/document-name.ts';
import type { InnerContent } from '../inner/inner-rows.ts';

/** Parses a mail. Mails inside it are attachments. @throws FileParseError */
export async function parseMail(bytes: Uint8Array, fileName: string): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FileParseError(fileName, 0, `the mail cannot be read (${reason}). Save it again as .eml.`);
  }
}

/**
 * The attachments of a mail that are documents. A picture without a name that the text of the mail shows is a part of
 * that text, such as a logo.
 */
export const attachmentsOf = ({ attachments }: Email): InnerContent[] =>
  attachments.flatMap((attachment, index) => {
    const { filename, mimeType, content } = attachment;
    const cleaned = cleanName(filename ?? '');
    if (cleaned === '' && isShownInText(attachment)) return [];
    return {
      step: String(index + 1),
      name: cleaned === '' ? nameByType('attachment', index + 1, mimeType) : cleaned,
      content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    };
  });

const isShownInText = ({ mimeType, disposition, related }: Attachment): boolean =>
  mimeType.startsWith('image/') && (related === true || disposition === 'inline');

import type { OpenedFile, RowBatch } from '../../file-format.ts';
import { FileParseError } from '../../file-parse-error.ts';
import type { OpenContext } from '../../open-context.ts';
import { pageRow } from '../document-page.ts';
import { innerRows } from '../inner/inner-rows.ts';
import { mailText } from './mail-text.ts';
import { attachmentsOf, parseMail } from './parse-mail.ts';

/** Opens a mail. Its first row is the mail, and the others are its attachments. @throws FileParseError */
export async function openMail(bytes: Uint8Array, context: OpenContext): Promise<OpenedFile> {
  const { limits, options, inner: usage = { documents: 0, bytes: 0 } } = context;
  const { fileName } = options;
  const mail = await parseMail(bytes, fileName);
  const attachments = attachmentsOf(mail);
  if (usage.documents + attachments.length > limits.maxInnerDocuments)
    throw new FileParseError(
      fileName,
      0,
      `the mail and the mails inside it have more than ${String(limits.maxInnerDocuments)} attachments. Send the attachments by themselves.`,
    );
  usage.documents += attachments.length;
  const names = attachments.map(({ name }) => name);
  const first = pageRow(1, await mailText(mail, names, fileName), limits, fileName);

  async function* rows(): AsyncGenerator<RowBatch> {
    yield [first];
    let count = 1;
    for (const attachment of attachments) {
      for await (const batch of innerRows(attachment, { ...context, inner: usage }, count)) {
        count += batch.length;
        yield batch;
      }
    }
  }
  return { format: 'mail', containers: [], rows };
}

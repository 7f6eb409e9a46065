import type { OpenedFile, Row, RowBatch } from '../../file-format.ts';
import { FileParseError } from '../../file-parse-error.ts';
import { insideOf, type OpenContext } from '../../open-context.ts';
import { rejectRow } from '../../rows/reject-row.ts';
import type { DataSource } from '../../sources/data-source.ts';
import { pageRow } from '../document-page.ts';
import { openMail } from './open-mail.ts';
import { splitMailbox, unquoteMail, type MailboxEntry } from './split-mailbox.ts';

/** Opens a mailbox. Each mail is a document inside it. A mail that cannot be read is a rejected row. */
export function openMailbox(source: DataSource, context: OpenContext): OpenedFile {
  const { limits, options } = context;
  const { scansFrom = Infinity } = options;

  async function* rows(): AsyncGenerator<RowBatch> {
    const pass = context.newPass(true);
    let count = 0;
    let number = 0;
    for await (const entry of splitMailbox(source.stream(pass), limits.maxDocumentBytes)) {
      number++;
      const name = `mail-${String(number)}.eml`;
      const inside = insideOf(context, name);
      const own = { ...inside, options: { ...inside.options, scansFrom: scansFrom - count } };
      for await (const batch of mailRows(entry, name, own)) {
        count += batch.length;
        yield batch;
      }
    }
  }
  return { format: 'mbox', containers: [], rows };
}

async function* mailRows(entry: MailboxEntry, name: string, context: OpenContext): AsyncGenerator<RowBatch> {
  const { raw, offset, length, line } = entry;
  const path = `m${String(offset)}-${String(length)}`;
  const { limits } = context;
  let mail: OpenedFile;
  try {
    requireMail(entry, limits.maxDocumentBytes);
    mail = await openMail(unquoteMail(raw), context);
  } catch (error) {
    if (!(error instanceof FileParseError)) throw error;
    // A mailbox inside a document has no rejected rows: they would keep that document's file from everybody.
    const begins = { path, name, format: 'other' };
    yield context.inner === undefined
      ? [rejectRow(line, offset, error.text, raw.toString('latin1', 0, maxRejectBytes))]
      : [{ ...pageRow(1, '', limits, name, { error: error.text }), begins }];
    return;
  }
  let isFirst = true;
  for await (const batch of mail.rows()) {
    yield batch.map((row) => {
      if (row.kind !== 'row') return row;
      const begins = isFirst
        ? { path, name, format: 'mail' }
        : row.begins && { ...row.begins, path: `${path}/${row.begins.path}` };
      isFirst = false;
      const placed: Row = { ...row, line, offset };
      return begins === undefined ? placed : { ...placed, begins };
    });
  }
}

const maxRejectBytes = 10_000;

/** @throws FileParseError for what is no mail */
function requireMail({ raw, isTooLarge }: MailboxEntry, maxBytes: number): void {
  if (isTooLarge)
    throw new FileParseError('', 0, `the mail has more than ${String(maxBytes)} bytes. Save it by itself.`);
  if (!/^[!-9;-~]+[ \t]*:/.test(raw.toString('latin1', 0, 1000)))
    throw new FileParseError('', 0, 'the mail has no header. Mend the mailbox, or save the mail by itself.');
}

/** A mail of a mailbox. */
export interface MailboxEntry {
  /** Where the mail begins, after its separator line, in bytes of the mailbox. */
  readonly offset: number;
  readonly length: number;
  /** The line of the mailbox with its separator, counted from 1. */
  readonly line: number;
  /** The bytes as they are in the mailbox; only the first ones of a mail that is too large. */
  readonly raw: Buffer;
  readonly isTooLarge: boolean;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const separatorStart = Buffer.from('From ');
/** The maximum number of bytes of a separator line. */
const maxSeparator = 1000;

/** The line that begins a mail: `From`, a sender, and a time of day and a year, as asctime writes them. */
const separator = /^From .*\d{1,2}:\d{2}(?::\d{2})?.*\b\d{4}\b/;

export const isSeparator = (line: string): boolean => separator.test(line);

/**
 * Splits a mailbox (mbox) into its mails. A mail begins with a line `From …` at the start of the file or after an empty
 * line. Only one mail is held in memory, and of a mail with more than `maxBytes` only its first bytes.
 */
export async function* splitMailbox(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<MailboxEntry> {
  let rest = Buffer.alloc(0);
  /** The offset of `rest` in the mailbox. */
  let position = 0;
  let line = 0;
  let isAfterEmptyLine = true;
  let isInsideLine = false;
  let mail: { offset: number; line: number; parts: Buffer[]; kept: number; length: number } | undefined;

  const add = (bytes: Buffer): void => {
    if (mail === undefined) return;
    mail.length += bytes.length;
    if (mail.kept > maxBytes) return;
    mail.parts.push(bytes);
    mail.kept += bytes.length;
  };
  const finish = (): MailboxEntry[] => {
    if (mail === undefined) return [];
    const { offset, length, line: first, parts, kept } = mail;
    const isTooLarge = length > maxBytes;
    const raw = Buffer.concat(parts, Math.min(kept, maxBytes));
    if (isTooLarge) return [{ offset, length, line: first, raw, isTooLarge }];
    const content = withoutLastEmptyLine(raw);
    return [{ offset, length: content.length, line: first, raw: content, isTooLarge }];
  };

  /** Reads the complete lines of the rest; at the end, all of it. */
  const read = function* (isEnd: boolean): Generator<MailboxEntry> {
    let from = 0;
    let added = 0;
    for (;;) {
      const found = rest.indexOf(newline, from);
      const isLong = found < 0 && rest.length - from > maxSeparator;
      if (found < 0 && !isLong && !isEnd) break;
      const end = found < 0 ? rest.length : found + 1;
      if (end === from) break;
      if (!isInsideLine) line++;
      if (
        !isInsideLine &&
        isAfterEmptyLine &&
        end - from <= maxSeparator &&
        rest.subarray(from, from + separatorStart.length).equals(separatorStart) &&
        isSeparator(rest.toString('latin1', from, end))
      ) {
        add(rest.subarray(added, from));
        yield* finish();
        mail = { offset: position + end, line, parts: [], kept: 0, length: 0 };
        added = end;
        isAfterEmptyLine = false;
      } else {
        isAfterEmptyLine =
          !isInsideLine && (end - from === 1 || (end - from === 2 && rest[from] === carriageReturn));
      }
      isInsideLine = found < 0;
      from = end;
    }
    add(rest.subarray(added, from));
    position += from;
    rest = rest.subarray(from);
  };

  for await (const chunk of chunks) {
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    yield* read(false);
  }
  yield* read(true);
  yield* finish();
}

/** The empty line before the next separator belongs to the mailbox. */
function withoutLastEmptyLine(bytes: Buffer): Buffer {
  const { length } = bytes;
  if (bytes[length - 1] !== newline) return bytes;
  const end = bytes[length - 2] === carriageReturn ? length - 2 : length - 1;
  return end > 0 && bytes[end - 1] === newline ? bytes.subarray(0, end) : bytes;
}

const quoted = Buffer.from('>From ');
const quote = 0x3e;

/**
 * A mail without the quotes of its mailbox. A line of the mail that begins with `From ` has a `>` in front, and in mailboxes of
 * the kind mboxrd so has one that begins with `>From `.
 */
export function unquoteMail(raw: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let found = raw.indexOf(quoted); found >= 0; found = raw.indexOf(quoted, found + quoted.length)) {
    let start = found;
    while (start > 0 && raw[start - 1] === quote) start--;
    if (start > 0 && raw[start - 1] !== newline) continue;
    parts.push(raw.subarray(from, start));
    from = start + 1;
  }
  return parts.length === 0 ? raw : Buffer.concat([...parts, raw.subarray(from)]);
}

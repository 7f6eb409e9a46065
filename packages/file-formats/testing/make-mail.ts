/** A part of a mail. */
export interface MailPart {
  name?: string | undefined;
  type?: string;
  content: string | Uint8Array;
  /** Whether the text of the mail shows it. */
  isInline?: boolean;
}

const boundaryOf = (depth: number): string => `=_part_${String(depth)}`;

/** A mail with a text and attachments, with the line ends of the internet. */
export function makeMail(
  subject: string,
  attachments: readonly MailPart[] = [],
  { text = 'Hello', depth = 0 } = {},
): Buffer {
  const boundary = boundaryOf(depth);
  const lines = [
    'From: Ada <ada@example.com>',
    'To: tower@example.com',
    'Date: Mon, 02 Mar 2026 08:00:00 +0000',
    `Subject: ${subject}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
  ];
  for (const { name, type = 'application/octet-stream', content, isInline = false } of attachments) {
    const parameter = name === undefined ? '' : `; filename="${name}"`;
    lines.push(
      `--${boundary}`,
      `Content-Type: ${type}`,
      `Content-Disposition: ${isInline ? 'inline' : 'attachment'}${parameter}`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(content)
        .toString('base64')
        .replaceAll(/(.{76})/g, '$1\r\n'),
    );
  }
  lines.push(`--${boundary}--`, '');
  return Buffer.from(lines.join('\r\n'));
}

/** A mailbox with these mails, as programs write it that quote lines which begin with `From `. */
export const makeMailbox = (mails: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.from(
    mails
      .map((mail) => {
        const text = Buffer.from(mail).toString('latin1').replaceAll('\r\n', '\n');
        const quoted = text.replaceAll(/^(>*From )/gm, '>$1');
        return `From ada@example.com Mon Mar  2 08:00:00 2026\n${quoted}${quoted.endsWith('\n') ? '' : '\n'}\n`;
      })
      .join(''),
    'latin1',
  );

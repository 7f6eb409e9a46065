import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as the mail server received it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and text, as they came over the wire. */
  raw: string;
  subject: string;
  /** The text, decoded. */
  text: string;
}

/** A real mail server that keeps the mails it receives. */
export interface MailServer {
  /** For SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  /** Makes the server reject mail, or accept it again. */
  refuse(isRefusing: boolean): void;
  close(): Promise<void>;
}

const unfold = (headers: string): string => headers.replaceAll(/\r\n[ \t]+/g, ' ');

/** Decodes quoted-printable or base64, if the headers declare it. */
const decode = (body: string, headers: string): string => {
  if (/^content-transfer-encoding: quoted-printable/im.test(headers)) {
    const bytes = body
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, 'latin1').toString('utf8');
  }
  if (/^content-transfer-encoding: base64/im.test(headers))
    return Buffer.from(body, 'base64').toString('utf8');
  return body;
};

const parse = (raw: string): Pick<ReceivedMail, 'subject' | 'text'> => {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers = unfold(head);
  const subject = /^subject: (.*)$/im.exec(headers)?.[1]?.trim() ?? '';
  return { subject, text: decode(rest.join('\r\n\r\n'), headers) };
};

/** Starts a mail server on a free port of loopback. Close it after the test. */
export const startMailServer = async (): Promise<MailServer> => {
  const mails: ReceivedMail[] = [];
  let isRefusing = false;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (isRefusing) {
          done(Object.assign(new Error('not now'), { responseCode: 451 }));
          return;
        }
        const raw = Buffer.concat(chunks).toString('utf8');
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        mails.push({ from, to: rcptTo.map(({ address }) => address), raw, ...parse(raw) });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (refusing) => {
      isRefusing = refusing;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};

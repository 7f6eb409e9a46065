import { createTransport } from 'nodemailer';

/** A mail, as plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Hands mail to a mail server. */
export interface MailTransport {
  /** Rejects where the server has not taken it. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const waitMilliseconds = 15_000;
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @param url as the setting SMTP_URL has it. Beyond this machine the connection is encrypted, unless the setting says otherwise. */
export const createSmtpTransport = ({ url, from }: { url: string; from: string }): MailTransport => {
  const { protocol, hostname, port, username, password, search } = new URL(url);
  const secure = protocol === 'smtps:';
  const mayBeClear = search === '?tls=none' || loopback.test(hostname);
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !mayBeClear,
    ignoreTLS: mayBeClear,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: waitMilliseconds,
    greetingTimeout: waitMilliseconds,
    socketTimeout: waitMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text }) => {
      // As an object the address is taken as it is: as a text it would be read as a list of addresses.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
};

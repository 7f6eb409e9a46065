import { createTransport } from 'nodemailer';

/** A mail, as plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mail through a mail server. */
export interface MailTransport {
  /** Rejects if the server does not accept the mail. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const timeoutMilliseconds = 15_000;
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @param url the setting SMTP_URL. Connections to other machines are encrypted unless the URL ends with `?tls=none` */
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
    connectionTimeout: timeoutMilliseconds,
    greetingTimeout: timeoutMilliseconds,
    socketTimeout: timeoutMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text }) => {
      // Pass the address as an object: a string would be parsed as a list of addresses.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
};

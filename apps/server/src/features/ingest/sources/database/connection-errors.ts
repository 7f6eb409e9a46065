import { OutboundError } from '../../../../platform/outbound/index.ts';
import { ReaderError } from '../reader-error.ts';
import type { DatabaseTask } from './database-messages.ts';

const unreachable = (message: string): ReaderError => new ReaderError(message, { isUnreachable: true });

/** Describes why there is no connection. The messages of libraries are left out: they may repeat what was sent. */
export const describeConnectionError = (
  error: unknown,
  { host, port, isSecure }: Pick<DatabaseTask, 'host' | 'isSecure' | 'port'>,
  database: string,
): ReaderError => {
  const where = `Cannot use ${database} at ${host}:${String(port)}`;
  if (error instanceof OutboundError) return unreachable(`${where}: ${error.message}. Send another host.`);
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (isSecure && /does not support (SSL|secure)|did not negotiate encryption/i.test(message)) {
    return unreachable(
      `${where}: it offers no TLS. Send tls: false to connect without encryption, if you trust the network.`,
    );
  }
  if (!isSecure && /requires encryption/i.test(message))
    return unreachable(`${where}: it requires TLS. Leave tls out, or send tls: true.`);
  if (/CERT|SELF_SIGNED|ISSUER|ERR_TLS|ERR_SSL|EPROTO/.test(code)) {
    return unreachable(
      `${where}: its certificate cannot be trusted (${code}). Send the certificate of its authority in tls.ca, and the host that the certificate names.`,
    );
  }
  const shown = /^[A-Za-z0-9_]{1,60}$/.test(code) ? code : 'the connection was closed';
  return unreachable(
    `${where}: it did not respond (${shown}). Check host and port, and that the server takes connections, then try again.`,
  );
};

/** What a server says in an error, unless it repeats the password. */
export const withoutPassword = (message: string, { password }: Pick<DatabaseTask, 'password'>): string =>
  password !== '' && message.includes(password) ? 'an error' : message.slice(0, 300);

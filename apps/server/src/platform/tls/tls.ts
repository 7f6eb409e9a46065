import { Server as TlsServer } from 'node:tls';
import type { Config } from '../config/index.ts';
import type { Logger } from '../log/logger.ts';
import type { Runtime } from '../runtime.ts';
import { certificateOf, type Certificate } from './certificate.ts';

/** The TLS setup of the server. */
export interface Tls {
  /** The certificate at the start. */
  certificate: Certificate;
  /**
   * Keeps the certificate current without a restart: new connections get the renewed one, or the one from changed
   * files.
   * @returns a function that stops it
   */
  keepCurrent(server: object, logger: Pick<Logger, 'error' | 'info'>): () => void;
}

const checkMs = 10 * 60_000;

/**
 * Reads or creates the certificate of the settings; undefined if they ask for plain HTTP.
 * @param folder where a self-signed certificate is kept
 * @param everyMs how often to check for a new certificate, in milliseconds
 * @throws ConfigError if the files cannot be used
 */
export const openTls = async (
  config: Config,
  folder: string,
  runtime: Pick<Runtime, 'clock' | 'random'>,
  everyMs = checkMs,
): Promise<Tls | undefined> => {
  const readCurrent = certificateOf(config, folder, runtime);
  if (readCurrent === undefined) return undefined;
  const certificate = await readCurrent();
  return {
    certificate,
    keepCurrent: (server, logger) => {
      let current = certificate;
      const check = async (): Promise<void> => {
        const next = await readCurrent();
        if (next.cert === current.cert || !(server instanceof TlsServer)) return;
        server.setSecureContext({ cert: next.cert, key: next.key });
        current = next;
        logger.info('now using a new TLS certificate');
      };
      const fail = (error: unknown): void =>
        logger.error({ err: error }, 'could not renew the TLS certificate; keeping the old one');
      const timer = setInterval(() => void check().catch(fail), everyMs).unref();
      return () => clearInterval(timer);
    },
  };
};

import { Server as TlsServer } from 'node:tls';
import type { Config } from '../config/index.ts';
import type { Logger } from '../log/logger.ts';
import type { Runtime } from '../runtime.ts';
import { certificateOf, type Certificate } from './certificate.ts';

/** What the server speaks TLS with. */
export interface Tls {
  /** As it was at the start. */
  certificate: Certificate;
  /**
   * Shows new connections the certificate that is right by then, without a restart: renewed, or read anew.
   * @returns what ends it
   */
  keepCurrent(server: object, logger: Pick<Logger, 'error' | 'info'>): () => void;
}

const checkMs = 10 * 60_000;

/**
 * Reads or makes the certificate that the settings ask for; undefined where they ask for plain HTTP.
 * @param folder where one that the server makes is kept
 * @param everyMs how often it is looked at again, in milliseconds
 * @throws ConfigError where the files cannot be used
 */
export const openTls = async (
  config: Config,
  folder: string,
  runtime: Pick<Runtime, 'clock' | 'random'>,
  everyMs = checkMs,
): Promise<Tls | undefined> => {
  const current = certificateOf(config, folder, runtime);
  if (current === undefined) return undefined;
  const certificate = await current();
  return {
    certificate,
    keepCurrent: (server, logger) => {
      let shown = certificate;
      const check = async (): Promise<void> => {
        const next = await current();
        if (next.cert === shown.cert || !(server instanceof TlsServer)) return;
        server.setSecureContext({ cert: next.cert, key: next.key });
        shown = next;
        logger.info('the certificate of TLS is a new one now');
      };
      const fail = (fault: unknown): void =>
        logger.error({ err: fault }, 'the certificate of TLS cannot be renewed, so the old one stays');
      const timer = setInterval(() => void check().catch(fail), everyMs).unref();
      return () => clearInterval(timer);
    },
  };
};

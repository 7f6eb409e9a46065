import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { ConfigError, type Config } from '../config/index.ts';
import type { Runtime } from '../runtime.ts';
import type { CertificateAndKey } from './self-signed.ts';

/** The server's TLS certificate. */
export interface Certificate extends CertificateAndKey {
  selfSigned: boolean;
}

/** Returns the current certificate: renewed if it is self-signed, else read from its files. */
export type CurrentCertificate = () => Promise<Certificate>;

/** A self-signed certificate is renewed when less than this time is left. */
const renewalMs = 30 * 86_400_000;

const read = (setting: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ConfigError(
      `${setting}: cannot read ${path} (${code}). Set ${setting} to a PEM file that this user may read.`,
    );
  }
};

const parse = <T>(setting: string, path: string, what: string, make: () => T): T => {
  try {
    return make();
  } catch {
    throw new ConfigError(
      `${setting} must be a PEM file with a ${what}, got ${path} without one. Set it to another file.`,
    );
  }
};

const readFiles = (certPath: string, keyPath: string, now: Date): Certificate => {
  const cert = read('TLS_CERT', certPath);
  const key = read('TLS_KEY', keyPath);
  const certificate = parse('TLS_CERT', certPath, 'certificate', () => new X509Certificate(cert));
  const privateKey = parse('TLS_KEY', keyPath, 'private key without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError(
      `TLS_KEY must be the key of the certificate in ${certPath}, got ${keyPath} with another key. Set it to the file of that key.`,
    );
  if (certificate.validToDate <= now)
    throw new ConfigError(
      `TLS_CERT must be a valid certificate, got ${certPath}, which expired on ${certificate.validTo}. Renew the certificate.`,
    );
  return { cert, key, selfSigned: false };
};

/** The names and addresses by which people may reach this server. */
const namesOf = ({ HOST, PUBLIC_URL }: Config): string[] => {
  const host = /^(0\.0\.0\.0|::)$/.test(HOST) ? [] : [HOST];
  const publicName = PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname.replaceAll(/[[\]]/g, '')];
  return [...new Set([...publicName, ...host, 'localhost', hostname(), '127.0.0.1', '::1'])];
};

const isUsable = (cert: string, names: readonly string[], now: Date): boolean => {
  const certificate = new X509Certificate(cert);
  const covers = (name: string): boolean =>
    (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
  return certificate.validToDate.getTime() - now.getTime() > renewalMs && names.every(covers);
};

const split = (pem: string): CertificateAndKey => {
  const [cert = '', key = ''] = pem.split(/(?=-----BEGIN PRIVATE KEY-----)/);
  return { cert, key };
};

const keepSelfSigned = async (
  folder: string,
  names: readonly string[],
  runtime: Pick<Runtime, 'clock' | 'random'>,
): Promise<Certificate> => {
  const file = join(folder, 'tls.pem');
  const now = runtime.clock.now();
  if (existsSync(file)) {
    const kept = split(readFileSync(file, 'utf8'));
    if (isUsable(kept.cert, names, now)) return { ...kept, selfSigned: true };
  }
  // The library takes a while to load, and hardly any start creates a certificate.
  const { makeSelfSigned } = await import('./self-signed.ts');
  const made = await makeSelfSigned(names, now, runtime.random);
  // One file, so that certificate and key always match.
  writeFileSync(file, `${made.cert}${made.key}`, { mode: 0o600 });
  return { ...made, selfSigned: true };
};

/**
 * A function that returns the current certificate of the settings; undefined if they ask for plain HTTP.
 * @throws ConfigError, also from the returned function, if the files cannot be used
 */
export const certificateOf = (
  config: Config,
  folder: string,
  runtime: Pick<Runtime, 'clock' | 'random'>,
): CurrentCertificate | undefined => {
  const { TLS, TLS_CERT, TLS_KEY } = config;
  if (TLS_CERT !== undefined && TLS_KEY !== undefined)
    return () => Promise.resolve().then(() => readFiles(TLS_CERT, TLS_KEY, runtime.clock.now()));
  return TLS === undefined ? undefined : () => keepSelfSigned(folder, namesOf(config), runtime);
};

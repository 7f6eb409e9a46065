import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { ConfigError, type Config } from '../config/index.ts';
import type { Runtime } from '../runtime.ts';
import type { CertificateAndKey } from './self-signed.ts';

/** What the server shows of itself by TLS. */
export interface Certificate extends CertificateAndKey {
  selfSigned: boolean;
}

/** Gives the certificate as it is now: renewed, or read anew. */
export type CurrentCertificate = () => Promise<Certificate>;

/** A certificate of our own is made anew when it has less than this left. */
const renewalMs = 30 * 86_400_000;

const read = (setting: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ConfigError(`${setting}: ${path} cannot be read (${code}).`);
  }
};

const parse = <T>(setting: string, path: string, what: string, make: () => T): T => {
  try {
    return make();
  } catch {
    throw new ConfigError(`${setting}: ${path} holds no ${what} in PEM.`);
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
    throw new ConfigError(`TLS_KEY: ${keyPath} is not the key of the certificate in ${certPath}.`);
  if (certificate.validToDate <= now)
    throw new ConfigError(`TLS_CERT: the certificate in ${certPath} ended on ${certificate.validTo}.`);
  return { cert, key, selfSigned: false };
};

/** What people may call this server, as far as it knows. */
const namesOf = ({ HOST, PUBLIC_URL }: Config): string[] => {
  const host = /^(0\.0\.0\.0|::)$/.test(HOST) ? [] : [HOST];
  const told = PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname.replaceAll(/[[\]]/g, '')];
  return [...new Set([...told, ...host, 'localhost', hostname(), '127.0.0.1', '::1'])];
};

const isGood = (cert: string, names: readonly string[], now: Date): boolean => {
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
    if (isGood(kept.cert, names, now)) return { ...kept, selfSigned: true };
  }
  // What makes certificates takes a while to load, and hardly any start makes one.
  const { makeSelfSigned } = await import('./self-signed.ts');
  const made = await makeSelfSigned(names, now, runtime.random);
  // One file, so that certificate and key always belong together.
  writeFileSync(file, `${made.cert}${made.key}`, { mode: 0o600 });
  return { ...made, selfSigned: true };
};

/**
 * What gives the certificate that the settings ask for, and undefined where they ask for plain HTTP.
 * @throws ConfigError (by what it gives, too) where the files cannot be used
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

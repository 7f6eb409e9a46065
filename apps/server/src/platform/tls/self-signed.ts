import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { KeyObject, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import type { Random } from '../runtime.ts';

const dayMs = 86_400_000;
/** Browsers reject certificates that are valid for more than 398 days. */
const validDays = 365;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface CertificateAndKey {
  /** PEM. */
  cert: string;
  /** PEM. */
  key: string;
}

/**
 * Creates a self-signed certificate for these names and addresses. It encrypts, and identifies the server to clients
 * that got the certificate in another way.
 * @param names the first one is the subject
 */
export const makeSelfSigned = async (
  names: readonly string[],
  now: Date,
  random: Random,
): Promise<CertificateAndKey> => {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: `00${random.bytes(15).toString('hex')}`,
    name: [{ CN: [names[0] ?? 'localhost'] }],
    // The clocks of clients may be slow.
    notBefore: new Date(now.getTime() - dayMs),
    notAfter: new Date(now.getTime() + validDays * dayMs),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
      ),
    ],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { cert: `${certificate.toString('pem')}\n`, key: String(key) };
};

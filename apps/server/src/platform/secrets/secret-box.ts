import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { OperatorError } from '../control/operator-error.ts';
import type { Random } from '../runtime.ts';

/** A sealed text cannot be opened: its key is missing, it was moved to another location, or it was changed. */
export class UnsealError extends OperatorError {}

/**
 * Encrypts (seals) secrets that the server must read again, such as those of identity providers. Secrets that are only
 * compared are hashed instead.
 */
export interface SecretBox {
  /**
   * @param place where the sealed text is stored, from `sealedLocation`: it does not open at another location
   * @returns a text of letters, digits, `-`, `_` and `.`
   */
  seal(secret: string, place: string): string;
  /** @throws UnsealError, whose message never contains the secret */
  open(sealed: string, place: string): string;
  /** Whether it is sealed with the newest key. */
  isCurrent(sealed: string): boolean;
}

/** The location of a sealed text: table, column and the key of the row. */
export const sealedLocation = (table: string, column: string, rowKey: string): string =>
  `${table}.${column}.${rowKey}`;

export interface SecretKey {
  /** Every sealed text contains the id of its key. */
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/** Derives a key from a text. @param text from the setting or generated: at least 32 characters */
export const secretKeyOf = (text: string): SecretKey => {
  const derive = (use: string, size: number) =>
    Buffer.from(hkdfSync('sha256', text, 'redoubt secrets', use, size));
  return { id: derive('id', 6).toString('base64url'), key: derive('seal', 32) };
};

const version = 's1';
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** @param keys returns the current keys, newest first: the newest seals, all of them open */
export const createSecretBox = ({
  keys,
  random,
}: {
  keys: () => readonly SecretKey[];
  random: Random;
}): SecretBox => {
  const newest = (): SecretKey => {
    const [first] = keys();
    if (first === undefined) throw new UnsealError('There is no key for encrypting secrets.');
    return first;
  };
  return {
    seal: (secret, place) => {
      const { id, key } = newest();
      const nonce = random.bytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce);
      sealing.setAAD(Buffer.from(place));
      const text = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()]);
      const bytes = Buffer.concat([nonce, text, sealing.getAuthTag()]);
      return `${version}.${id}.${bytes.toString('base64url')}`;
    },
    open: (sealed, place) => {
      const [prefix, id, text, ...rest] = sealed.split('.');
      const known = keys().find((key) => key.id === id);
      if (prefix !== version || text === undefined || rest.length > 0)
        throw new UnsealError(
          `The secret in ${place} was not encrypted by this server. Restore it from a backup, or set it again.`,
        );
      if (known === undefined) {
        throw new UnsealError(
          `The secret in ${place} is encrypted with the key "${id}", which is missing. Add it to SECRETS_KEY, or restore the file secrets.keys of the data folder.`,
        );
      }
      const bytes = Buffer.from(text, 'base64url');
      try {
        const opening = createDecipheriv(cipher, known.key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        });
        opening.setAAD(Buffer.from(place));
        opening.setAuthTag(bytes.subarray(-tagBytes));
        const body = bytes.subarray(nonceBytes, -tagBytes);
        return Buffer.concat([opening.update(body), opening.final()]).toString('utf8');
      } catch (error) {
        throw new UnsealError(
          `The secret in ${place} was changed or moved from another row. Restore it from a backup, or set it again.`,
          {
            cause: error,
          },
        );
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${version}.${newest().id}.`),
  };
};

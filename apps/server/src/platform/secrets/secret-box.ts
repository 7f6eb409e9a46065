import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { OperatorError } from '../control/operator-error.ts';
import type { Random } from '../runtime.ts';

/** A sealed text cannot be opened: its key is not here, it is of another place, or somebody changed it. */
export class UnsealError extends OperatorError {}

/**
 * Seals secrets that have to be used again, such as those of identity providers. Secrets that are only compared are hashed
 * instead.
 */
export interface SecretBox {
  /**
   * @param place where the sealed text is kept, by `sealedLocation`: moved to another place it does not open
   * @returns a text of letters, digits, `-`, `_` and `.`
   */
  seal(secret: string, place: string): string;
  /** @throws SealError, never with a word of what was sealed */
  open(sealed: string, place: string): string;
  /** Whether it is sealed under the newest key. */
  isCurrent(sealed: string): boolean;
}

/** The place of a sealed text: table, column and the key of the row. */
export const sealedLocation = (table: string, column: string, rowKey: string): string =>
  `${table}.${column}.${rowKey}`;

export interface SecretKey {
  /** Stands in what it seals. */
  id: string;
  /** 32 bytes. */
  key: Buffer;
}

/** @param text what the operator set, or what was made: at least 32 characters */
export const secretKeyOf = (text: string): SecretKey => {
  const derive = (use: string, size: number) =>
    Buffer.from(hkdfSync('sha256', text, 'redoubt secrets', use, size));
  return { id: derive('id', 6).toString('base64url'), key: derive('seal', 32) };
};

const version = 's1';
const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** @param keys those known at this moment, the newest first; it seals, and all of them open */
export const createSecretBox = ({
  keys,
  random,
}: {
  keys: () => readonly SecretKey[];
  random: Random;
}): SecretBox => {
  const newest = (): SecretKey => {
    const [first] = keys();
    if (first === undefined) throw new UnsealError('There is no key to seal secrets with.');
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
      const [form, id, text, ...rest] = sealed.split('.');
      const known = keys().find((key) => key.id === id);
      if (form !== version || text === undefined || rest.length > 0)
        throw new UnsealError(`What is kept in ${place} was not sealed by this server.`);
      if (known === undefined) {
        throw new UnsealError(
          `The secret in ${place} is sealed under the key "${id}", which is not here: add it to SECRETS_KEY, or bring back the file secrets.keys of the data folder.`,
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
        throw new UnsealError(`The secret in ${place} was changed, or belongs to another place.`, {
          cause: error,
        });
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${version}.${newest().id}.`),
  };
};

import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../runtime.ts';
import { secretKeyOf, type SecretKey } from './secret-box.ts';

/** The keys that secrets are encrypted with. */
export interface SecretKeys {
  /** The current keys, newest first. */
  current(): readonly SecretKey[];
  /** Creates a new key for sealing. @returns false if the keys come from a setting, which only the operator can change */
  renew(): boolean;
  /** Deletes all keys but the newest, if they are in the data folder. */
  forgetOld(): void;
}

const keyBytes = 32;
const fileName = 'secrets.keys';

/**
 * Opens the keys from the setting SECRETS_KEY, or from a file in the data folder that is created at the first start.
 * @param setting the keys of the setting, newest first
 */
export const openSecretKeys = ({
  setting,
  folder,
  random,
}: {
  setting: readonly string[] | undefined;
  folder: string;
  random: Random;
}): SecretKeys => {
  if (setting !== undefined) {
    const keys = setting.map(secretKeyOf);
    return { current: () => keys, renew: () => false, forgetOld: () => undefined };
  }
  const file = join(folder, fileName);
  let texts = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  let keys = texts.map(secretKeyOf);
  /** Replaces the file atomically: an incomplete file would make every secret unreadable. */
  const keep = (next: string[]): void => {
    const draft = `${file}.new`;
    writeFileSync(draft, `${next.join('\n')}\n`, { mode: 0o600, flush: true });
    chmodSync(draft, 0o600);
    renameSync(draft, file);
    texts = next;
    keys = texts.map(secretKeyOf);
  };
  const make = (): string => random.bytes(keyBytes).toString('base64url');
  if (texts.length === 0) keep([make()]);
  return {
    current: () => keys,
    renew: () => {
      keep([make(), ...texts]);
      return true;
    },
    forgetOld: () => keep(texts.slice(0, 1)),
  };
};

import type { Config } from './platform/config/index.ts';
import type { Runtime } from './platform/runtime.ts';
import {
  createSecretBox,
  openSecretKeys,
  type SecretBox,
  type SecretKeys,
} from './platform/secrets/index.ts';

/**
 * Opens the keys that encrypt secrets. Servers that share databases must use the same key: when only JWT_SECRET is set,
 * which they share as well, the key is derived from it.
 */
export const openSecrets = (
  { SECRETS_KEY, JWT_SECRET, CLICKHOUSE_URL, DATABASE_URL }: Config,
  folder: string,
  { random }: Pick<Runtime, 'random'>,
): { keys: SecretKeys; secrets: SecretBox } => {
  const isShared = CLICKHOUSE_URL !== undefined && DATABASE_URL !== undefined;
  const shared = isShared && JWT_SECRET !== undefined ? [JWT_SECRET] : undefined;
  const keys = openSecretKeys({ setting: SECRETS_KEY ?? shared, folder, random });
  return { keys, secrets: createSecretBox({ keys: keys.current, random }) };
};

import type { CustomIdentityProvider, CustomIdentityProviderCreate } from '@redoubt/contract';
import { badField } from '@redoubt/errors';
import { outboundFault } from '../../platform/outbound/index.ts';

export type ProviderConfig = CustomIdentityProvider['config'];
type SentConfig = Partial<CustomIdentityProviderCreate['config']>;

const usualScope = ['openid', 'email', 'profile'];
const addressFields = ['authorizeUrl', 'accessUrl', 'profileUrl'] as const;

const readScope = (sent: SentConfig['scope']): string[] | undefined => {
  if (sent === undefined) return undefined;
  const names = typeof sent === 'string' ? sent.split(/\s+/).filter(Boolean) : sent;
  if (names.includes('openid')) return [...new Set(names)];
  throw badField(
    'config.scope',
    `${JSON.stringify(names)} was sent without "openid", without which a provider does not say who signs in: add it.`,
  );
};

const checkAddress = (field: string, address: string, allowsPrivate: boolean): string => {
  const fault = outboundFault(address, allowsPrivate);
  if (fault !== undefined) throw badField(`config.${field}`, `"${address}" ${fault}.`);
  return address;
};

/**
 * What is kept of a provider, out of what was sent and, in a change, what is there.
 * @throws 400 naming what cannot be taken
 */
export const readConfig = (
  { secret: _secret, scope, ...sent }: SentConfig,
  present: ProviderConfig | undefined,
  allowsPrivate: boolean,
): ProviderConfig => {
  const { key = '', authorizeUrl = '', accessUrl = '', profileUrl = '' } = { ...present, ...sent };
  const config = { key, authorizeUrl, accessUrl, profileUrl };
  for (const field of addressFields) checkAddress(field, config[field], allowsPrivate);
  return {
    ...config,
    scope: readScope(scope) ?? present?.scope ?? usualScope,
    nonce: true,
    state: true,
    oauth: 2,
  };
};

/** Whether a secret, a link or a session of one would go elsewhere with the other. */
export const isElsewhere = (one: ProviderConfig, other: ProviderConfig): boolean =>
  one.key !== other.key || addressFields.some((field) => one[field] !== other[field]);

import type { CustomIdentityProvider, CustomIdentityProviderCreate, ProviderType } from '@redoubt/contract';
import { badField } from '@redoubt/errors';
import { findOutboundUrlError } from '../../platform/outbound/index.ts';

export type ProviderConfig = CustomIdentityProvider['config'];
type SentConfig = Partial<CustomIdentityProviderCreate['config']>;

const usualScope = ['openid', 'email', 'profile'];
const githubScope = ['read:user', 'user:email'];

/** What the addresses of GitHub, and of each GitHub Enterprise Server, end with. */
export const githubEnds = {
  authorizeUrl: '/login/oauth/authorize',
  accessUrl: '/login/oauth/access_token',
  profileUrl: '/user',
} as const;
const addressFields = ['authorizeUrl', 'accessUrl', 'profileUrl'] as const;

const readScope = (sent: SentConfig['scope'], type: ProviderType): string[] | undefined => {
  if (sent === undefined) return undefined;
  const names = typeof sent === 'string' ? sent.split(/\s+/).filter(Boolean) : sent;
  if (type === 'github' || names.includes('openid')) return [...new Set(names)];
  throw badField(
    'config.scope',
    `${JSON.stringify(names)} was sent without "openid", without which a provider does not say who signs in: add it.`,
  );
};

const checkAddress = (
  field: (typeof addressFields)[number],
  address: string,
  { type, allowsPrivate }: { type: ProviderType; allowsPrivate: boolean },
): void => {
  const fault = findOutboundUrlError(address, allowsPrivate);
  if (fault !== undefined) throw badField(`config.${field}`, `"${address}" ${fault}.`);
  const end = githubEnds[field];
  if (type === 'github' && !address.endsWith(end))
    throw badField(
      `config.${field}`,
      `"${address}" is no address of GitHub: send one that ends with ${end}.`,
    );
};

/**
 * What is kept of a provider, out of what was sent and, in a change, what is there.
 * @throws 400 naming what cannot be taken
 */
export const parseProviderConfig = (
  { secret: _secret, scope, ...sent }: SentConfig,
  present: ProviderConfig | undefined,
  rules: { type: ProviderType; allowsPrivate: boolean },
): ProviderConfig => {
  const { key = '', authorizeUrl = '', accessUrl = '', profileUrl = '' } = { ...present, ...sent };
  const config = { key, authorizeUrl, accessUrl, profileUrl };
  for (const field of addressFields) checkAddress(field, config[field], rules);
  return {
    ...config,
    scope:
      readScope(scope, rules.type) ?? present?.scope ?? (rules.type === 'github' ? githubScope : usualScope),
    nonce: true,
    state: true,
    oauth: 2,
  };
};

/** Whether a secret, a link or a session of one would go elsewhere with the other. */
export const hasOtherEndpoints = (one: ProviderConfig, other: ProviderConfig): boolean =>
  one.key !== other.key || addressFields.some((field) => one[field] !== other[field]);

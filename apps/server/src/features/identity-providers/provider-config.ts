import type { CustomIdentityProvider, CustomIdentityProviderCreate, ProviderType } from '@redoubt/contract';
import { badField, describeValue, invalidField } from '@redoubt/errors';
import { findOutboundUrlError } from '../../platform/outbound/index.ts';

export type ProviderConfig = CustomIdentityProvider['config'];
type SentConfig = Partial<CustomIdentityProviderCreate['config']>;

const defaultScope = ['openid', 'email', 'profile'];
const githubScope = ['read:user', 'user:email'];

/** The ends of the addresses of GitHub and of every GitHub Enterprise Server. */
export const githubEnds = {
  authorizeUrl: '/login/oauth/authorize',
  accessUrl: '/login/oauth/access_token',
  profileUrl: '/user',
} as const;
const addressFields = ['authorizeUrl', 'accessUrl', 'profileUrl'] as const;

const parseScope = (sent: SentConfig['scope'], type: ProviderType): string[] | undefined => {
  if (sent === undefined) return undefined;
  const names = typeof sent === 'string' ? sent.split(/\s+/).filter(Boolean) : sent;
  if (type === 'github' || names.includes('openid')) return [...new Set(names)];
  throw invalidField({
    field: 'config.scope',
    expected: 'a list with "openid", without which the provider does not identify the person',
    got: JSON.stringify(names),
    advice: 'Add "openid".',
  });
};

const checkAddress = (
  field: (typeof addressFields)[number],
  address: string,
  { type, allowsPrivate }: { type: ProviderType; allowsPrivate: boolean },
): void => {
  const problem = findOutboundUrlError(address, allowsPrivate);
  if (problem !== undefined)
    throw badField(`config.${field}`, `${problem}, got "${address}". Send another address.`);
  const end = githubEnds[field];
  if (type === 'github' && !address.endsWith(end))
    throw invalidField({
      field: `config.${field}`,
      expected: 'an address of GitHub',
      got: describeValue(address),
      advice: `Send one that ends with ${end}.`,
    });
};

/**
 * Validates the configuration of a provider. In a change, properties that were not sent keep their present values.
 * @throws RedoubtError 400 naming the invalid property
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
      parseScope(scope, rules.type) ??
      present?.scope ??
      (rules.type === 'github' ? githubScope : defaultScope),
    nonce: true,
    state: true,
    oauth: 2,
  };
};

/** Whether the two configurations have different keys or addresses, so that secrets and sessions of one do not belong to the other. */
export const hasOtherEndpoints = (one: ProviderConfig, other: ProviderConfig): boolean =>
  one.key !== other.key || addressFields.some((field) => one[field] !== other[field]);

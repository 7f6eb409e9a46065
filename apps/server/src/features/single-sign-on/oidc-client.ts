import { createRemoteJWKSet, customFetch as keysFetch, type JWTVerifyGetKey } from 'jose';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client';
import { OutboundError, type OutboundFetch } from '../../platform/outbound/index.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { OidcEndpoints, ProviderEndpoints, Provider } from './provider.ts';
import { providerUnavailable } from './provider-error.ts';

/** An OpenID Connect provider, asked as our client. */
export interface OidcClient {
  issuer: string;
  configuration: Configuration;
  /** The keys that it signs with. */
  keys: JWTVerifyGetKey;
}

export type FindOidcClient = (provider: Provider) => Promise<OidcClient>;

interface KnownIssuer {
  metadata: ServerMetadata;
  keys: JWTVerifyGetKey;
}

/** How long what a provider publishes of itself is taken as it was. */
const knownMs = 10 * 60_000;
const maxKnown = 1000;
const callSeconds = 10;

const isPlain = (address: string): boolean => address.startsWith('http:');

/** Whether a call did not come to an answer, whoever says so. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof OutboundError || (error instanceof Error && isUnreachable(error.cause));

/** Where the issuer of a token address may be: above it, or where Microsoft has it. The nearest come first. */
const issuersFor = (accessUrl: string): string[] => {
  const { origin, pathname } = new URL(accessUrl);
  const parts = pathname.split('/').filter(Boolean).slice(0, 8);
  const above = parts.map((_, index) => [origin, ...parts.slice(0, parts.length - 1 - index)].join('/'));
  const [, tenant] = /^(.*)\/oauth2\/v2\.0\/token$/.exec(pathname) ?? [];
  return tenant === undefined ? above : [`${origin}${tenant}/v2.0`, ...above];
};

const discover = async (issuer: string, provider: Provider): Promise<ServerMetadata> => {
  const found = await discovery(new URL(issuer), provider.clientId, undefined, None(), {
    [customFetch]: provider.fetch,
    timeout: callSeconds,
    ...(isPlain(issuer) ? { execute: [allowInsecureRequests] } : {}),
  });
  return found.serverMetadata();
};

/** What an issuer publishes, if it names the addresses that are expected. */
const withAddresses = (
  metadata: ServerMetadata,
  { authorizeUrl, accessUrl, profileUrl }: ProviderEndpoints,
): ServerMetadata | undefined =>
  metadata.token_endpoint === accessUrl && metadata.authorization_endpoint === authorizeUrl
    ? { ...metadata, userinfo_endpoint: profileUrl }
    : undefined;

const noConfiguration = (provider: Provider) =>
  providerUnavailable(
    provider,
    'publishes no OpenID configuration above its accessUrl that names this accessUrl and authorizeUrl',
  );

const discoverAbove = async (expected: ProviderEndpoints, provider: Provider): Promise<ServerMetadata> => {
  for (const issuer of issuersFor(expected.accessUrl)) {
    try {
      const metadata = withAddresses(await discover(issuer, provider), expected);
      if (metadata !== undefined) return metadata;
    } catch (error) {
      if (isUnreachable(error)) throw error;
    }
  }
  throw noConfiguration(provider);
};

const discoverAt = async (at: OidcEndpoints, provider: Provider): Promise<ServerMetadata> => {
  if (!('issuer' in at)) return discoverAbove(at, provider);
  const found = await discover(at.issuer, provider);
  const metadata = at.expects === undefined ? found : withAddresses(found, at.expects);
  if (metadata === undefined) throw noConfiguration(provider);
  return metadata;
};

const keysAt = (address: string, fetch: OutboundFetch): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(address), {
    timeoutDuration: callSeconds * 1000,
    [keysFetch]: (url, { headers, method, signal }) =>
      fetch(url, { headers: Object.fromEntries(headers), method, signal }),
  });

const askIssuer = async (provider: Provider, at: OidcEndpoints): Promise<KnownIssuer> => {
  const metadata = await discoverAt(at, provider);
  if (metadata.jwks_uri === undefined) throw providerUnavailable(provider, 'publishes no keys');
  return { metadata, keys: keysAt(metadata.jwks_uri, provider.fetch) };
};

const clientSecret = ({ token_endpoint_auth_methods_supported: methods }: ServerMetadata, secret: string) =>
  methods?.includes('client_secret_basic') === false ? ClientSecretPost(secret) : ClientSecretBasic(secret);

/** Finds the client for a provider; what the provider publishes of itself is remembered for some minutes. */
export const createFindOidcClient = (clock: Clock): FindOidcClient => {
  const known = new Map<string, { until: number; asking: Promise<KnownIssuer> }>();

  const ask = (provider: Provider, at: OidcEndpoints): Promise<KnownIssuer> => {
    // What was found under wider rules about addresses is not for those that have narrower ones.
    const key = JSON.stringify([provider.own !== undefined, at]);
    const now = clock.now().getTime();
    const remembered = known.get(key);
    if (remembered !== undefined && remembered.until > now) return remembered.asking;
    if (known.size >= maxKnown) known.clear();
    const asking = askIssuer(provider, at);
    known.set(key, { until: now + knownMs, asking });
    asking.catch(() => known.delete(key));
    return asking;
  };

  return async (provider) => {
    if (provider.speech.kind === 'github') throw providerUnavailable(provider, 'speaks no OpenID Connect');
    const { metadata, keys } = await ask(provider, provider.speech.at);
    const authentication = clientSecret(metadata, provider.clientSecret);
    const configuration = new Configuration(metadata, provider.clientId, {}, authentication);
    configuration[customFetch] = provider.fetch;
    configuration.timeout = callSeconds;
    if (isPlain(metadata.issuer)) allowInsecureRequests(configuration);
    enableNonRepudiationChecks(configuration);
    return { issuer: metadata.issuer, configuration, keys };
  };
};

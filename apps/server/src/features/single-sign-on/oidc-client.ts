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

/** The client for an OpenID Connect provider. */
export interface OidcClient {
  issuer: string;
  configuration: Configuration;
  /** The signing keys of the provider. */
  keys: JWTVerifyGetKey;
}

export type FindOidcClient = (provider: Provider) => Promise<OidcClient>;

interface KnownIssuer {
  metadata: ServerMetadata;
  keys: JWTVerifyGetKey;
}

/** How long the metadata of a provider is cached. */
const cacheMs = 10 * 60_000;
const maxCached = 1000;
const callSeconds = 10;

const isInsecure = (address: string): boolean => address.startsWith('http:');

/** Whether a call got no response. The cause may be nested in errors of the library. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof OutboundError || (error instanceof Error && isUnreachable(error.cause));

/** Possible issuers for a token endpoint: its parent paths, nearest first, and before them the form that Microsoft uses. */
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
    ...(isInsecure(issuer) ? { execute: [allowInsecureRequests] } : {}),
  });
  return found.serverMetadata();
};

/** Returns the metadata of an issuer if it contains the expected endpoints. */
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
    'publishes no OpenID configuration above its accessUrl that contains this accessUrl and authorizeUrl',
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

const fetchIssuer = async (provider: Provider, at: OidcEndpoints): Promise<KnownIssuer> => {
  const metadata = await discoverAt(at, provider);
  if (metadata.jwks_uri === undefined) throw providerUnavailable(provider, 'publishes no keys');
  return { metadata, keys: keysAt(metadata.jwks_uri, provider.fetch) };
};

const clientSecret = ({ token_endpoint_auth_methods_supported: methods }: ServerMetadata, secret: string) =>
  methods?.includes('client_secret_basic') === false ? ClientSecretPost(secret) : ClientSecretBasic(secret);

/** Creates clients for providers. The metadata of a provider is cached for some minutes. */
export const createFindOidcClient = (clock: Clock): FindOidcClient => {
  const cache = new Map<string, { until: number; issuer: Promise<KnownIssuer> }>();

  const findIssuer = (provider: Provider, at: OidcEndpoints): Promise<KnownIssuer> => {
    // Separate entries, because the server's own providers may be in private networks and those of workspaces may not.
    const key = JSON.stringify([provider.own !== undefined, at]);
    const now = clock.now().getTime();
    const cached = cache.get(key);
    if (cached !== undefined && cached.until > now) return cached.issuer;
    if (cache.size >= maxCached) cache.clear();
    const issuer = fetchIssuer(provider, at);
    cache.set(key, { until: now + cacheMs, issuer });
    issuer.catch(() => cache.delete(key));
    return issuer;
  };

  return async (provider) => {
    if (provider.speech.kind === 'github')
      throw providerUnavailable(provider, 'does not support OpenID Connect');
    const { metadata, keys } = await findIssuer(provider, provider.speech.at);
    const authentication = clientSecret(metadata, provider.clientSecret);
    const configuration = new Configuration(metadata, provider.clientId, {}, authentication);
    configuration[customFetch] = provider.fetch;
    configuration.timeout = callSeconds;
    if (isInsecure(metadata.issuer)) allowInsecureRequests(configuration);
    enableNonRepudiationChecks(configuration);
    return { issuer: metadata.issuer, configuration, keys };
  };
};

import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  Configuration,
  customFetch,
} from 'openid-client';
import type { Random } from '../../platform/runtime.ts';
import type { VerifyAccessToken } from './verify-access-token.ts';
import { fetchProfile } from './verify-oidc-token.ts';
import type { FindOidcClient, OidcClient } from './oidc-client.ts';
import type { Provider, ProviderProtocol } from './provider.ts';
import { providerRefused, type ToProviderError } from './provider-error.ts';
import { namesOf, providerSubjectOf, verifiedEmail, type ProvenIdentity } from './proven-identity.ts';

/** What the browser takes along, sealed, to where it comes back. */
export interface PendingSignIn {
  issuer: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** Sign-in at a provider in a browser: authorization code with PKCE. */
export interface AuthorizationCodeFlow {
  /** Where the browser goes, and what is to be known when it comes back to `redirectUri`. */
  begin(provider: Provider, redirectUri: string): Promise<{ location: string; begun: PendingSignIn }>;
  /**
   * @param url where the browser came back to, with all that the provider added
   * @throws AuthError 401 unless it is the answer to what was begun
   */
  finish(provider: Provider, url: URL, begun: PendingSignIn): Promise<ProvenIdentity>;
}

/** GitHub publishes nothing of itself: its addresses are those of its documentation. */
const githubClient = (provider: Provider, { url }: ProviderProtocol & { kind: 'github' }): Configuration => {
  const configuration = new Configuration(
    {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    },
    provider.clientId,
    {},
    ClientSecretPost(provider.clientSecret),
  );
  configuration[customFetch] = provider.fetch;
  if (url.startsWith('http:')) allowInsecureRequests(configuration);
  return configuration;
};

export const createAuthorizationCodeFlow = ({
  findClient,
  confirm,
  faultOf,
  random,
}: {
  findClient: FindOidcClient;
  confirm: VerifyAccessToken;
  faultOf: ToProviderError;
  random: Random;
}): AuthorizationCodeFlow => {
  const draw = (): string => random.bytes(32).toString('base64url');

  const clientFor = async (provider: Provider): Promise<Pick<OidcClient, 'issuer' | 'configuration'>> =>
    provider.speech.kind === 'github'
      ? { issuer: provider.speech.url, configuration: githubClient(provider, provider.speech) }
      : findClient(provider);

  const exchange = async (provider: Provider, url: URL, begun: PendingSignIn): Promise<ProvenIdentity> => {
    const { issuer, configuration } = await clientFor(provider);
    const isChanged = issuer !== begun.issuer;
    if (isChanged) throw providerRefused(provider, 'the provider was changed meanwhile. Sign in again.');
    const isGithub = provider.speech.kind === 'github';
    const tokens = await authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: begun.verifier,
      expectedState: begun.state,
      ...(isGithub ? {} : { expectedNonce: begun.nonce, idTokenExpected: true }),
    });
    if (isGithub) return confirm(provider, tokens.access_token);
    const claims = tokens.claims() ?? {};
    const subject = providerSubjectOf(provider.strategy, claims);
    const told = 'sub' in claims ? String(claims.sub) : undefined;
    if (subject === undefined || told === undefined)
      throw providerRefused(provider, 'the provider does not say who it is.');
    const isTold = verifiedEmail(claims) !== undefined || provider.strategy === 'microsoft';
    const profile = isTold ? claims : await fetchProfile(provider, configuration, tokens.access_token, told);
    return { issuer, subject, email: verifiedEmail(profile), ...namesOf({ ...claims, ...profile }) };
  };

  return {
    begin: async (provider, redirectUri) => {
      try {
        const { issuer, configuration } = await clientFor(provider);
        const begun = { issuer, state: draw(), nonce: draw(), verifier: draw() };
        const location = buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: provider.scope,
          state: begun.state,
          ...(provider.speech.kind === 'github' ? {} : { nonce: begun.nonce }),
          code_challenge: await calculatePKCECodeChallenge(begun.verifier),
          code_challenge_method: 'S256',
        });
        return { location: location.href, begun };
      } catch (error) {
        throw faultOf(provider, error);
      }
    },
    finish: async (provider, url, begun) => {
      try {
        return await exchange(provider, url, begun);
      } catch (error) {
        throw faultOf(provider, error);
      }
    },
  };
};

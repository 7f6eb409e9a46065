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

/** The state of a sign-in that the browser keeps, sealed in a cookie, until it returns from the provider. */
export interface PendingSignIn {
  issuer: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** Sign-in at a provider in a browser, by the authorization code flow with PKCE. */
export interface AuthorizationCodeFlow {
  /** Returns the URL that the browser is sent to, and the state for `finish`. */
  begin(provider: Provider, redirectUri: string): Promise<{ location: string; begun: PendingSignIn }>;
  /**
   * Completes a sign-in.
   * @param url the URL that the browser came back to, with the parameters of the provider
   * @throws AuthError 401 unless the URL belongs to the sign-in in `begun`
   */
  finish(provider: Provider, url: URL, begun: PendingSignIn): Promise<ProvenIdentity>;
}

/** GitHub has no discovery document; these endpoints are from its documentation. */
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
  toProviderError,
  random,
}: {
  findClient: FindOidcClient;
  confirm: VerifyAccessToken;
  toProviderError: ToProviderError;
  random: Random;
}): AuthorizationCodeFlow => {
  const randomToken = (): string => random.bytes(32).toString('base64url');

  const clientFor = async (provider: Provider): Promise<Pick<OidcClient, 'issuer' | 'configuration'>> =>
    provider.speech.kind === 'github'
      ? { issuer: provider.speech.url, configuration: githubClient(provider, provider.speech) }
      : findClient(provider);

  const exchange = async (provider: Provider, url: URL, begun: PendingSignIn): Promise<ProvenIdentity> => {
    const { issuer, configuration } = await clientFor(provider);
    const isChanged = issuer !== begun.issuer;
    if (isChanged)
      throw providerRefused(provider, 'the provider was changed during the sign-in. Sign in again.');
    const isGithub = provider.speech.kind === 'github';
    const tokens = await authorizationCodeGrant(configuration, url, {
      pkceCodeVerifier: begun.verifier,
      expectedState: begun.state,
      ...(isGithub ? {} : { expectedNonce: begun.nonce, idTokenExpected: true }),
    });
    if (isGithub) return confirm(provider, tokens.access_token);
    const claims = tokens.claims() ?? {};
    const subject = providerSubjectOf(provider.strategy, claims);
    const subjectClaim = 'sub' in claims ? String(claims.sub) : undefined;
    if (subject === undefined || subjectClaim === undefined)
      throw providerRefused(
        provider,
        'the provider does not identify the person. Ask its administrator to send the claim "sub".',
      );
    const isComplete = verifiedEmail(claims) !== undefined || provider.strategy === 'microsoft';
    const profile = isComplete
      ? claims
      : await fetchProfile(provider, configuration, tokens.access_token, subjectClaim);
    return { issuer, subject, email: verifiedEmail(profile), ...namesOf({ ...claims, ...profile }) };
  };

  return {
    begin: async (provider, redirectUri) => {
      try {
        const { issuer, configuration } = await clientFor(provider);
        const begun = { issuer, state: randomToken(), nonce: randomToken(), verifier: randomToken() };
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
        throw toProviderError(provider, error);
      }
    },
    finish: async (provider, url, begun) => {
      try {
        return await exchange(provider, url, begun);
      } catch (error) {
        throw toProviderError(provider, error);
      }
    },
  };
};

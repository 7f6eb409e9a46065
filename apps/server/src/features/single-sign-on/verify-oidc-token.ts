import { decodeProtectedHeader, jwtVerify } from 'jose';
import { fetchUserInfo, skipSubjectCheck, tokenIntrospection, type Configuration } from 'openid-client';
import type { Clock } from '../../platform/runtime.ts';
import type { FindOidcClient, OidcClient } from './oidc-client.ts';
import type { Provider } from './provider.ts';
import { isTokenRefused, providerUnavailable, providerRefused } from './provider-error.ts';
import {
  namesOf,
  providerSubjectOf,
  verifiedEmail,
  type Claims,
  type ProvenIdentity,
} from './proven-identity.ts';

/** Asymmetric signatures only, because a client with a shared key could sign tokens too. */
const providerAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];

const isJwt = (token: string): boolean => {
  try {
    return token.split('.').length === 3 && typeof decodeProtectedHeader(token).alg === 'string';
  } catch {
    return false;
  }
};

/** The token types of access tokens; tokens of other types are rejected. */
const accessTypes = new Set(['', 'jwt', 'at+jwt', 'application/at+jwt', 'bearer']);
const isAccessType = (type: unknown): boolean =>
  type === undefined || (typeof type === 'string' && accessTypes.has(type.toLowerCase()));

const otherClientError = (provider: Provider) =>
  providerRefused(
    provider,
    'the provider did not issue the access token to the client of this server. Sign in through that client.',
  );

/** Whether a token was issued to the client. Providers use different claims for the client; without any, the audience decides. */
const isIssuedTo = (clientId: string, claims: Claims): boolean => {
  const parties = ['azp', 'cid', 'client_id', 'appid']
    .map((name) => claims[name])
    .filter((party) => party !== undefined);
  if (parties.length > 0) return parties.every((party) => party === clientId);
  const audiences = new Set<unknown>([claims['aud']].flat());
  return audiences.has(clientId) || audiences.has(`api://${clientId}`);
};

/** Verifies a signed token: its issuer, signature, expiry and client. Returns its claims. */
const verifySigned = async (
  provider: Provider,
  oidc: OidcClient,
  token: string,
  clock: Clock,
): Promise<Claims> => {
  const { payload, protectedHeader } = await jwtVerify(token, oidc.keys, {
    issuer: oidc.issuer,
    algorithms: providerAlgorithms,
    requiredClaims: ['exp', 'sub'],
    currentDate: clock.now(),
  });
  if (!isAccessType(protectedHeader.typ) || !isAccessType(payload['typ']))
    throw providerRefused(provider, 'the token is not an access token. Send the access token.');
  if (!isIssuedTo(provider.clientId, payload)) throw otherClientError(provider);
  return payload;
};

/** Asks the provider about an opaque token. Returns its claims. */
const introspect = async (
  provider: Provider,
  oidc: OidcClient,
  token: string,
  clock: Clock,
): Promise<Claims> => {
  if (oidc.configuration.serverMetadata().introspection_endpoint === undefined)
    throw providerUnavailable(provider, 'issues unsigned tokens and offers no introspection of them');
  const claimedSubject = await tokenIntrospection(oidc.configuration, token, {
    token_type_hint: 'access_token',
  });
  const now = clock.now().getTime() / 1000;
  const hasEnded = claimedSubject.exp !== undefined && claimedSubject.exp <= now;
  if (
    !claimedSubject.active ||
    hasEnded ||
    (claimedSubject.iss !== undefined && claimedSubject.iss !== oidc.issuer)
  )
    throw providerRefused(provider, 'the access token is not valid, or has expired. Sign in again.');
  if (claimedSubject.client_id !== provider.clientId) throw otherClientError(provider);
  return claimedSubject;
};

/** Fetches the person's profile from the provider, with their token. */
export const fetchProfile = async (
  provider: Provider,
  configuration: Configuration,
  token: string,
  subject: string | undefined,
): Promise<Claims> => {
  try {
    return await fetchUserInfo(configuration, token, subject ?? skipSubjectCheck);
  } catch (error) {
    if (isTokenRefused(error))
      throw providerRefused(
        provider,
        'the provider does not accept the access token. Request the scopes openid and email.',
      );
    throw error;
  }
};

/** Verifies access tokens of OpenID Connect providers, signed or opaque. */
export const createVerifyOidcToken =
  ({ findClient, clock }: { findClient: FindOidcClient; clock: Clock }) =>
  async (provider: Provider, token: string): Promise<ProvenIdentity> => {
    const oidc = await findClient(provider);
    const isSigned = isJwt(token);
    const claims = await (isSigned ? verifySigned : introspect)(provider, oidc, token, clock);
    const claimedSubject = providerSubjectOf(provider.strategy, claims);
    // Microsoft's profile endpoint accepts only tokens that others cannot verify, so its claims must suffice.
    const isComplete = (isSigned && verifiedEmail(claims) !== undefined) || provider.strategy === 'microsoft';
    const profile = isComplete
      ? claims
      : await fetchProfile(provider, oidc.configuration, token, claimedSubject);
    const subject = claimedSubject ?? providerSubjectOf(provider.strategy, profile);
    if (subject === undefined)
      throw providerRefused(
        provider,
        'the provider does not identify the person of the token. Request the scope openid.',
      );
    return { issuer: oidc.issuer, subject, email: verifiedEmail(profile), ...namesOf(profile) };
  };

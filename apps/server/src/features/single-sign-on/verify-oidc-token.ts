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

/** Signatures that only the provider can make: none that a client could make as well. */
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

/** How a token says what it is; those of other kinds are no access tokens. */
const accessTypes = new Set(['', 'jwt', 'at+jwt', 'application/at+jwt', 'bearer']);
const isAccessType = (type: unknown): boolean =>
  type === undefined || (typeof type === 'string' && accessTypes.has(type.toLowerCase()));

const notOurs = (provider: Provider) =>
  providerRefused(
    provider,
    'the provider did not issue the access token to the client of this server. Sign in by that client.',
  );

/** To whom a token was issued: said by one of several names, else by its audience. */
const isIssuedTo = (clientId: string, claims: Claims): boolean => {
  const parties = ['azp', 'cid', 'client_id', 'appid']
    .map((name) => claims[name])
    .filter((party) => party !== undefined);
  if (parties.length > 0) return parties.every((party) => party === clientId);
  const audiences = new Set<unknown>([claims['aud']].flat());
  return audiences.has(clientId) || audiences.has(`api://${clientId}`);
};

/** What a signed token says, if it is the provider's, is ours and has not expired. */
const readSigned = async (
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
    throw providerRefused(provider, 'what was sent is no access token. Send the access token.');
  if (!isIssuedTo(provider.clientId, payload)) throw notOurs(provider);
  return payload;
};

/** What the provider says of a token that only it can read. */
const introspect = async (
  provider: Provider,
  oidc: OidcClient,
  token: string,
  clock: Clock,
): Promise<Claims> => {
  if (oidc.configuration.serverMetadata().introspection_endpoint === undefined)
    throw providerUnavailable(
      provider,
      'issues tokens that are no signed ones, and offers no introspection of them',
    );
  const told = await tokenIntrospection(oidc.configuration, token, { token_type_hint: 'access_token' });
  const now = clock.now().getTime() / 1000;
  const hasEnded = told.exp !== undefined && told.exp <= now;
  if (!told.active || hasEnded || (told.iss !== undefined && told.iss !== oidc.issuer))
    throw providerRefused(provider, 'the access token is not valid, or has expired. Sign in again.');
  if (told.client_id !== provider.clientId) throw notOurs(provider);
  return told;
};

/** What the provider knows of the person, asked with the token. */
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
        'the provider does not accept the access token. Ask for the scopes openid and email.',
      );
    throw error;
  }
};

/** Finds out of whom an access token is, by what the provider confirms of it. */
export const createVerifyOidcToken =
  ({ findClient, clock }: { findClient: FindOidcClient; clock: Clock }) =>
  async (provider: Provider, token: string): Promise<ProvenIdentity> => {
    const oidc = await findClient(provider);
    const isSigned = isJwt(token);
    const claims = await (isSigned ? readSigned : introspect)(provider, oidc, token, clock);
    const told = providerSubjectOf(provider.strategy, claims);
    // Microsoft answers about a person only with tokens that nobody else can check.
    const isTold = (isSigned && verifiedEmail(claims) !== undefined) || provider.strategy === 'microsoft';
    const profile = isTold ? claims : await fetchProfile(provider, oidc.configuration, token, told);
    const subject = told ?? providerSubjectOf(provider.strategy, profile);
    if (subject === undefined)
      throw providerRefused(provider, 'the provider does not say whose token it is.');
    return { issuer: oidc.issuer, subject, email: verifiedEmail(profile), ...namesOf(profile) };
  };

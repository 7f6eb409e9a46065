import type { Clock } from '../../platform/runtime.ts';
import type { Provider, ProviderProtocol } from './provider.ts';
import { providerUnavailable, providerRefused } from './provider-error.ts';
import {
  namesOf,
  providerSubjectOf,
  verifiedEmail,
  type Claims,
  type ProvenIdentity,
} from './proven-identity.ts';

/**
 * Google's endpoint `tokeninfo` returns the client that an access token was issued to
 * (https://developers.google.com/identity/protocols/oauth2).
 */
export const createVerifyGoogleToken =
  (clock: Clock) =>
  async (
    provider: Provider,
    speech: ProviderProtocol & { kind: 'google' },
    token: string,
  ): Promise<ProvenIdentity> => {
    const response = await provider.fetch(
      `${speech.tokenInfoUrl}?${new URLSearchParams({ access_token: token }).toString()}`,
      { headers: { accept: 'application/json' } },
    );
    if (response.status === 400 || response.status === 401)
      throw providerRefused(
        provider,
        'Google does not know the access token, or it has expired. Sign in again.',
      );
    if (response.status !== 200) throw providerUnavailable(provider, `sent the status ${response.status}`);
    const claims = (await response.json()) as Claims;
    const parties = [claims['aud'], claims['azp'] ?? claims['aud']];
    if (parties.some((party) => party !== provider.clientId)) {
      throw providerRefused(
        provider,
        'Google did not issue the access token to the client of this server. Sign in through that client.',
      );
    }
    if (!(Number(claims['exp']) > clock.now().getTime() / 1000))
      throw providerRefused(provider, 'the access token has expired. Sign in again.');
    const subject = providerSubjectOf(provider.strategy, claims);
    if (subject === undefined)
      throw providerRefused(
        provider,
        'Google does not identify the person of the access token. Request the scopes openid and email.',
      );
    return { issuer: speech.at.issuer, subject, email: verifiedEmail(claims), ...namesOf(claims) };
  };

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
 * Google says by its address `tokeninfo` to whom an access token was issued
 * (https://developers.google.com/identity/protocols/oauth2).
 */
export const createVerifyGoogleToken =
  (clock: Clock) =>
  async (
    provider: Provider,
    speech: ProviderProtocol & { kind: 'google' },
    token: string,
  ): Promise<ProvenIdentity> => {
    const answer = await provider.fetch(
      `${speech.tokenInfoUrl}?${new URLSearchParams({ access_token: token }).toString()}`,
      { headers: { accept: 'application/json' } },
    );
    if (answer.status === 400 || answer.status === 401)
      throw providerRefused(
        provider,
        'Google does not know the access token, or it has expired. Sign in again.',
      );
    if (answer.status !== 200) throw providerUnavailable(provider, `answered ${answer.status}`);
    const told = (await answer.json()) as Claims;
    const parties = [told['aud'], told['azp'] ?? told['aud']];
    if (parties.some((party) => party !== provider.clientId)) {
      throw providerRefused(
        provider,
        'Google did not issue the access token to the client of this server. Sign in by that client.',
      );
    }
    if (!(Number(told['exp']) > clock.now().getTime() / 1000))
      throw providerRefused(provider, 'the access token has expired. Sign in again.');
    const subject = providerSubjectOf(provider.strategy, told);
    if (subject === undefined)
      throw providerRefused(
        provider,
        'Google does not say whose access token it is. Ask for the scopes openid and email.',
      );
    return { issuer: speech.at.issuer, subject, email: verifiedEmail(told), ...namesOf(told) };
  };

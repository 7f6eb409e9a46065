import type { Clock } from '../../platform/runtime.ts';
import type { Provider, Speech } from './provider.ts';
import { outage, refusal } from './provider-fault.ts';
import { namesOf, subjectOf, verifiedEmail, type Claims, type ProvenIdentity } from './proven-identity.ts';

/**
 * Google says by its address `tokeninfo` to whom an access token was issued
 * (https://developers.google.com/identity/protocols/oauth2).
 */
export const createConfirmGoogle =
  (clock: Clock) =>
  async (provider: Provider, speech: Speech & { kind: 'google' }, token: string): Promise<ProvenIdentity> => {
    const answer = await provider.fetch(
      `${speech.tokenInfoUrl}?${new URLSearchParams({ access_token: token }).toString()}`,
      { headers: { accept: 'application/json' } },
    );
    if (answer.status === 400 || answer.status === 401)
      throw refusal(provider, 'Google does not know the access token, or it has expired. Sign in again.');
    if (answer.status !== 200) throw outage(provider, `answered ${answer.status}`);
    const told = (await answer.json()) as Claims;
    const parties = [told['aud'], told['azp'] ?? told['aud']];
    if (parties.some((party) => party !== provider.clientId)) {
      throw refusal(
        provider,
        'Google did not issue the access token to the client of this server. Sign in by that client.',
      );
    }
    if (!(Number(told['exp']) > clock.now().getTime() / 1000))
      throw refusal(provider, 'the access token has expired. Sign in again.');
    const subject = subjectOf(provider.strategy, told);
    if (subject === undefined)
      throw refusal(
        provider,
        'Google does not say whose access token it is. Ask for the scopes openid and email.',
      );
    return { issuer: speech.at.issuer, subject, email: verifiedEmail(told), ...namesOf(told) };
  };

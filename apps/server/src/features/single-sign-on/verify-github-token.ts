import type { Clock } from '../../platform/runtime.ts';
import type { Provider, ProviderProtocol } from './provider.ts';
import { providerUnavailable, providerRefused } from './provider-error.ts';
import { namesOf, type Claims, type ProvenIdentity } from './proven-identity.ts';

const headers = {
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2022-11-28',
};

const emailOf = (addresses: unknown): string | undefined => {
  if (!Array.isArray(addresses)) return undefined;
  const own = (addresses as Claims[]).find(
    ({ primary, verified, email }) => primary === true && verified === true && typeof email === 'string',
  );
  return own === undefined ? undefined : String(own['email']).toLowerCase();
};

/**
 * GitHub does not support OpenID Connect. `POST /applications/{client_id}/token` checks that a token was issued to this
 * server's client (https://docs.github.com/rest/apps/oauth-applications#check-a-token), and `GET /user/emails` returns the
 * verified addresses.
 */
export const createVerifyGithubToken =
  (clock: Clock) =>
  async (
    provider: Provider,
    { url, apiUrl }: ProviderProtocol & { kind: 'github' },
    token: string,
  ): Promise<ProvenIdentity> => {
    const { clientId, clientSecret } = provider;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const checked = await provider.fetch(`${apiUrl}/applications/${encodeURIComponent(clientId)}/token`, {
      method: 'POST',
      headers: { ...headers, authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      body: JSON.stringify({ access_token: token }),
    });
    if (checked.status === 404 || checked.status === 422)
      throw providerRefused(
        provider,
        'GitHub did not issue the access token to the client of this server, or the token is no longer valid. Sign in through that client.',
      );
    if (checked.status !== 200) throw providerUnavailable(provider, `sent the status ${checked.status}`);
    const {
      app,
      user,
      expires_at: end,
    } = (await checked.json()) as {
      app?: { client_id?: unknown };
      user?: Claims | null;
      expires_at?: unknown;
    };
    if (app?.client_id !== clientId)
      throw providerRefused(
        provider,
        'GitHub did not issue the access token to the client of this server. Sign in through that client.',
      );
    if (typeof end === 'string' && !(Date.parse(end) > clock.now().getTime()))
      throw providerRefused(provider, 'the access token has expired. Sign in again.');
    const id = user?.['id'];
    if (typeof id !== 'number')
      throw providerRefused(
        provider,
        'GitHub does not identify the person of the access token. Use the token of a user.',
      );
    const listed = await provider.fetch(`${apiUrl}/user/emails`, {
      headers: { ...headers, authorization: `Bearer ${token}` },
    });
    if (listed.status >= 500) throw providerUnavailable(provider, `sent the status ${listed.status}`);
    const email = listed.status === 200 ? emailOf(await listed.json()) : undefined;
    const names = namesOf({ name: user?.['name'] ?? user?.['login'], email });
    return { issuer: url, subject: String(id), email, ...names };
  };

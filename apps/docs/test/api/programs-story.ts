import { createTestBrowser, type TestOidc, type TestStripe } from '@redoubt/testkit';
import type { TestServer } from '@redoubt/server/testing';
import { createHash } from 'node:crypto';
import type { CallDesk } from './call-desk.ts';
import type { Team } from './people-story.ts';

const id = (value: string) => ({ params: { id: value } });
const form = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

const useKeys = async (desk: CallDesk, { ben, workspaceId }: Team): Promise<void> => {
  const by = { by: { token: ben.token } };
  const wanted = {
    name: 'Nightly load',
    workspaceId,
    groupNames: ['Readers'],
    attributeNames: ['REGION:EU'],
  };
  const { id: made, key } = await desk.success<{ id: string; key: string }>('createApiKey', {
    ...by,
    body: wanted,
  });
  desk.hide(key, 'API_KEY');
  await desk.error('createApiKey', { ...by, body: { ...wanted, groupNames: ['Harbour pilots'] } });
  await desk.success('listApiKeys', by);
  await desk.success('getApiKey', { ...by, ...id(made) });
  await desk.error('getApiKey', { by: { key }, ...id(made) });
  await desk.success('patchApiKey', {
    ...by,
    ...id(made),
    body: { description: 'Runs at two in the morning.' },
  });
  await desk.success('deleteApiKey', { ...by, ...id(made) });
};

const verifier = 'a-verifier-of-at-least-forty-three-characters-0123';
const cookie = `redoubt-oauth=${'b'.repeat(32)}`;
const redirectUrl = 'https://charts.example/back';

/** The hidden fields of the first form of a page. */
const fieldsIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...(html.split('</form>')[0] ?? '').matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

/** Registers an application, authorises it as a person, and uses its token. */
const useApplications = async (
  desk: CallDesk,
  server: TestServer,
  { ada, ben, workspaceId }: Team,
): Promise<void> => {
  const by = { by: { token: ada.token } };
  const { id: made, ...client } = await desk.success<{ id: string; clientId: string; clientSecret: string }>(
    'createApplication',
    {
      ...by,
      body: {
        name: 'Charts',
        url: 'https://charts.example',
        redirectUrl,
        workspaceId,
        type: 'mls',
        allowedUsers: [ben.id],
      },
    },
  );
  desk.hide(client.clientSecret, 'CLIENT_SECRET');
  await desk.success('listApplications', by);
  await desk.success('getApplication', { ...by, ...id(made) });
  await desk.success('patchApplication', {
    ...by,
    ...id(made),
    body: { description: 'Draws beacons on a map.' },
  });
  const query = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUrl,
    state: 'of-the-application',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  await desk.success('authorizeApplication', { query, headers: { cookie } });
  const asked = await fetch(`${server.url}/oauth2/auth?${form(query)}`, {
    headers: { cookie, authorization: `Bearer ${ben.token}` },
  });
  const fields = fieldsIn(await asked.text());
  for (const name of ['csrf', 'ticket'])
    if (fields[name] !== undefined) desk.hide(fields[name], `${name.toUpperCase()}_OF_THE_PAGE`);
  // The response redirects with the code, which is hidden only in the recording.
  let code = '';
  const answered = await fetch(`${server.url}/oauth2/auth`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: form({ ...fields, decision: 'allow' }),
  });
  code =
    new URL(answered.headers.get('location') ?? 'https://nowhere.invalid').searchParams.get('code') ?? '';
  const again = await fetch(`${server.url}/oauth2/auth?${form(query)}`, {
    headers: { cookie, authorization: `Bearer ${ben.token}` },
  });
  const others = fieldsIn(await again.text());
  for (const name of ['csrf', 'ticket'])
    if (others[name] !== undefined) desk.hide(others[name], `${name.toUpperCase()}_OF_THE_PAGE`);
  await desk.success('answerApplication', {
    body: form({ ...others, decision: 'deny' }),
    headers: { cookie },
  });
  const secret = { client_id: client.clientId, client_secret: client.clientSecret };
  const tokens = await desk.success<{ access_token: string; refresh_token: string }>('exchangeOAuthToken', {
    body: form({
      ...secret,
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUrl,
      code_verifier: verifier,
    }),
  });
  desk.hide(code, 'CODE');
  desk.hide(tokens.refresh_token, 'REFRESH_TOKEN');
  await desk.error('exchangeOAuthToken', {
    body: form({
      ...secret,
      grant_type: 'authorization_code',
      code: 'unknown',
      redirect_uri: redirectUrl,
      code_verifier: verifier,
    }),
  });
  const { data: grants } = await desk.success<{ data: { id: string }[] }>('listApplicationGrants', {
    by: { token: ben.token },
  });
  await desk.success('deleteApplicationGrant', { by: { token: ben.token }, ...id(grants[0]?.id ?? '') });
  await desk.success('revokeOAuthToken', { body: form({ ...secret, token: tokens.refresh_token }) });
  await desk.success('getOAuthMetadata', {});
  await desk.success('deleteApplication', { ...by, ...id(made) });
};

const useProviders = async (desk: CallDesk, { ada, workspaceId }: Team): Promise<void> => {
  const by = { by: { token: ada.token } };
  const config = {
    key: 'redoubt',
    secret: 'of the provider',
    authorizeUrl: 'https://login.harbour.example/authorize',
    accessUrl: 'https://login.harbour.example/token',
    profileUrl: 'https://login.harbour.example/me',
  };
  desk.hide(config.secret, 'CLIENT_SECRET');
  const { id: made } = await desk.success('createCustomIdentityProvider', {
    ...by,
    body: { workspaceId, providerType: 'custom', config },
  });
  await desk.success('listCustomIdentityProviders', by);
  await desk.success('getCustomIdentityProvider', { ...by, ...id(made) });
  await desk.success('patchCustomIdentityProvider', {
    ...by,
    ...id(made),
    body: { config: { scope: 'openid email' } },
  });
  await desk.success('deleteCustomIdentityProvider', { ...by, ...id(made) });
};

/**
 * Calls of browsers, with redirects. The provider uses the real clock, so these come before calls that need expired
 * sessions.
 */
export const signInElsewhere = async (desk: CallDesk, server: TestServer, oidc: TestOidc): Promise<void> => {
  server.runtime.clock.set(new Date());
  oidc.know({
    sub: 'hana',
    email: 'hana@pilots.example',
    email_verified: true,
    given_name: 'Hana',
    family_name: 'Sato',
  });
  oidc.signsIn('hana');
  await desk.success('getSignInOptions', {});
  await desk.success('beginSingleSignOn', {
    params: { provider: 'keycloak' },
    query: { returnTo: '/app/datasets' },
  });
  const browser = createTestBrowser();
  const start = `${server.url}/sso/keycloak/login?${form({ returnTo: '/app/datasets' })}`;
  const { url } = await browser.follow(start, ({ pathname }) => pathname.endsWith('/callback'));
  const query = Object.fromEntries(url.searchParams);
  for (const name of ['code', 'state']) desk.hide(query[name] ?? '', `${name.toUpperCase()}_OF_THE_PROVIDER`);
  await desk.success('finishSingleSignOn', {
    params: { provider: 'keycloak' },
    query,
    headers: { cookie: browser.cookiesFor(server.url) },
  });
};

const pay = async (desk: CallDesk, stripe: TestStripe, server: TestServer, { ada }: Team): Promise<void> => {
  const by = { by: { token: ada.token } };
  await server.metering.flush();
  await desk.success('getUsage', by);
  await desk.success('startCheckout', by);
  await desk.success('openBillingPortal', by);
  const body = JSON.parse(
    stripe.event('customer.updated', { id: 'cus_0001', object: 'customer' }),
  ) as unknown;
  const signature = stripe.sign(JSON.stringify(body), server.runtime.clock.now());
  await desk.success('receiveBillingEvent', { body, headers: { 'stripe-signature': signature } });
};

const lookBack = async (desk: CallDesk, { ada }: Team): Promise<void> => {
  const by = { by: { token: ada.token } };
  await desk.success('queryAuditLog', { ...by, body: { expression: 'type:Login', limit: 2 } });
  const { data } = await desk.success<{ data: { id: string }[] }>('listAuditLogConfigs', by);
  await desk.success('patchAuditLogConfig', {
    ...by,
    params: { auditLogConfigsId: data[0]?.id ?? '' },
    body: { keepForever: false, ageInDays: 365 },
  });
};

/** Shortens the long API description: its head, and the name of one path. */
const headOf = (body: unknown): unknown => {
  const { openapi, info, servers } = body as Record<string, unknown>;
  return { openapi, info, servers, '…': '…' };
};

/** Calls for keys, applications, providers, billing, the audit log and the server itself. */
export const tellOfPrograms = async (
  desk: CallDesk,
  { server, stripe }: { server: TestServer; stripe: TestStripe },
  team: Team,
): Promise<void> => {
  await desk.success('getHealth', {});
  await desk.success('getOpenApi', { shorten: headOf });
  await useKeys(desk, team);
  await useApplications(desk, server, team);
  await useProviders(desk, team);
  await lookBack(desk, team);
  await pay(desk, stripe, server, team);
};

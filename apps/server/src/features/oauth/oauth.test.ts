/* Shows: F-PATCH-/applications/{id}-resetSecret, D-key-token, D-app-mls, D-app-sls,
   E-Application-redirectUrl, E-Application-type, E-Application-allowedUsers,
   E-Application-requiredDatasetAccess, E-Application-requiredDatasetAccess-action,
   E-Application-requiredDatasetAccess-datasetId, L28, R-bearer-applications, V-applicationType-mls,
   V-applicationType-sls, W-oauth */
import type { Application } from '@redoubt/contract';
import {
  addMember,
  sendRequest,
  chooseOwnPassword,
  createFormBrowser,
  createWorkspace,
  signIn,
  type FormBrowser,
  type RenderedPage,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import * as openid from 'openid-client';

const back = 'https://atlas.example.org/back?from=redoubt';
const verifier = 'a-verifier-of-at-least-forty-three-characters-0123';
const challenge = createHash('sha256').update(verifier).digest('base64url');

interface OAuthResponse {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  token_type: string;
  error: string;
  error_description: string;
}

const addressOf = (application: Application, more: Record<string, string | undefined> = {}): string => {
  const parameters = {
    response_type: 'code',
    client_id: application.clientId,
    redirect_uri: application.redirectUrl,
    state: 'state & more',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  };
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) sent.append(name, value);
  return `/oauth2/auth?${sent.toString()}`;
};
const responseParametersOf = ({ location }: RenderedPage): Record<string, string> =>
  Object.fromEntries(new URL(location ?? 'http://nowhere').searchParams);

/** Signs a person in on the page, and returns the next page. */
const signInOn = async (browser: FormBrowser, address: string, who: TestPerson): Promise<RenderedPage> => {
  const page = await browser.open(address);
  equal(page.status, 200, page.html);
  return browser.submit(page.forms[0], { email: who.email, password: who.password });
};
const decide = (browser: FormBrowser, page: RenderedPage, decision: string): Promise<RenderedPage> =>
  browser.submit(page.forms[0], { decision });
const secretOf = ({ clientId, clientSecret = '' }: Application) => ({
  client_id: clientId,
  client_secret: clientSecret,
});

describe('OAuth for applications', () => {
  let server: TestServer;
  let workspace: TestWorkspace;
  let admin: TestPerson;
  let person: TestPerson;
  let stranger: TestPerson;
  let mls: Application;
  let sls: Application;
  let datasetId: string;
  let otherDataset: string;
  /** Creates a dataset that the person may read, and returns its id. */
  let makeDataset: (name: string) => Promise<string>;

  const asAdmin = async <T>(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<T> => {
    const response = await sendRequest<T>(server, method, path, {
      token: admin.token,
      ...(body === undefined ? {} : { body }),
    });
    ok(response.status < 300, `${method} ${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const makeApplication = (more: object = {}): Promise<Application> =>
    asAdmin('POST', '/applications', {
      name: 'Atlas <b>&</b>',
      url: 'https://atlas.example.org',
      redirectUrl: back,
      workspaceId: workspace.id,
      allowedUsers: [person.id],
      ...more,
    });
  const change = (application: Application, patch: object): Promise<Application> =>
    asAdmin('PATCH', `/applications/${application.id}`, patch);
  /** Goes through sign-in and consent, and returns the code. */
  const codeFor = async (application: Application, who: TestPerson = person): Promise<string> => {
    const browser = createFormBrowser(server);
    const decided = await decide(browser, await signInOn(browser, addressOf(application), who), 'allow');
    const { code } = responseParametersOf(decided);
    ok(code !== undefined, decided.html);
    return code;
  };
  const post = async (
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; body: OAuthResponse }> => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as OAuthResponse,
    };
  };
  const exchange = (application: Application, code: string, more: Record<string, string> = {}) =>
    post('/oauth2/token', {
      ...secretOf(application),
      grant_type: 'authorization_code',
      code,
      redirect_uri: application.redirectUrl,
      code_verifier: verifier,
      ...more,
    });
  const refresh = (application: Application, token: string) =>
    post('/oauth2/token', { ...secretOf(application), grant_type: 'refresh_token', refresh_token: token });
  const tokensFor = async (application: Application, who: TestPerson = person): Promise<OAuthResponse> => {
    const { status, body } = await exchange(application, await codeFor(application, who));
    equal(status, 200, JSON.stringify(body));
    return body;
  };
  const meWith = async (token: string): Promise<number> =>
    (await sendRequest(server, 'GET', '/me', { token })).status;
  /** Returns the names of the records that a token reads. */
  const namesFor = async (token: string, dataset = datasetId): Promise<string[] | number> => {
    const body = { datasetId: dataset, expression: '*', limit: -1 };
    const response = await sendRequest<{ records: { name: string }[] }>(server, 'POST', '/query/lucene', {
      token,
      body,
    });
    return response.status === 200
      ? response.body.records.map(({ name }) => name).toSorted()
      : response.status;
  };

  const writeLabelled = (id: string): Promise<unknown> => {
    return asAdmin('POST', `/v2/write/${id}?isAsync=false`, {
      records: [
        { name: 'open', label: '' },
        { name: 'alpha', label: 'ALPHA' },
        { name: 'beta', label: 'BETA' },
      ],
      securityLabelInfo: {
        fields: ['label'],
        label: '',
        labelHandlingPolicy: 'ignore',
        parserClassName: 'identity-parser',
        replacementString: '',
      },
    });
  };

  before(async () => {
    server = await startServer();
    workspace = await createWorkspace(server);
    ({ admin } = workspace);
    person = await addMember(server, workspace, 'member', 'person');
    stranger = await addMember(server, workspace, 'member', 'stranger');
    const { id: attributeId } = await asAdmin<{ id: string }>('POST', '/attributes', {
      name: 'Alpha',
      token: 'ALPHA',
    });
    await asAdmin('POST', '/attribute-assignments', { attributeId, userId: person.id });
    const { id: groupId } = await asAdmin<{ id: string }>('POST', '/groups', {
      name: 'G',
      workspaceId: workspace.id,
    });
    await asAdmin('POST', '/group-memberships', { groupId, userId: person.id, role: 'member' });
    makeDataset = async (name) => {
      const { id } = await asAdmin<{ id: string }>('POST', '/datasets', { name, workspaceId: workspace.id });
      await asAdmin('POST', '/dataset-permissions', { action: 'read', datasetId: id, groupId });
      return id;
    };
    datasetId = await makeDataset('Harbours');
    otherDataset = await makeDataset('Lighthouses');
    for (const id of [datasetId, otherDataset]) await writeLabelled(id);
    mls = await makeApplication({ type: 'mls' });
    sls = await makeApplication({ type: 'sls', redirectUrl: 'http://127.0.0.1:9999/back' });
  });
  after(() => server.close());

  test('an independent client gets tokens through the page, refreshes and revokes them', async () => {
    const application = await makeApplication({ type: 'mls', redirectUrl: 'https://atlas.example.org/back' });
    const options = { algorithm: 'oauth2' as const, execute: [openid.allowInsecureRequests] };
    for (const authentication of [openid.ClientSecretBasic, openid.ClientSecretPost]) {
      const config = await openid.discovery(
        new URL(server.url),
        application.clientId,
        {},
        authentication(application.clientSecret ?? ''),
        options,
      );
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const state = openid.randomState();
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: application.redirectUrl,
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      });
      const browser = createFormBrowser(server);
      const page = await signInOn(browser, address.href, person);
      const { location } = await decide(browser, page, 'allow');
      const granted = await openid.authorizationCodeGrant(config, new URL(location ?? ''), {
        pkceCodeVerifier,
        expectedState: state,
      });
      equal(granted.expires_in, 3600);
      deepEqual(await namesFor(granted.access_token), ['alpha', 'open']);
      const refreshed = await openid.refreshTokenGrant(config, granted.refresh_token ?? '');
      notEqual(refreshed.refresh_token, granted.refresh_token);
      equal(await meWith(refreshed.access_token), 200);
      await openid.tokenRevocation(config, refreshed.refresh_token ?? '');
      equal(await meWith(refreshed.access_token), 401);
      await rejects(openid.refreshTokenGrant(config, refreshed.refresh_token ?? ''), {
        error: 'invalid_grant',
      });
    }
  });

  test('an mls application sees what the person sees, an sls application only unlabelled records', async () => {
    deepEqual(await namesFor(person.token), ['alpha', 'open']);
    deepEqual(await namesFor((await tokensFor(mls)).access_token), ['alpha', 'open']);
    deepEqual(await namesFor((await tokensFor(sls)).access_token), ['open']);
  });

  test('credentialsSubset adds nothing to what an application has', async () => {
    const { access_token: token } = await tokensFor(sls);
    const body = { datasetId, expression: '*', credentialsSubset: ['ALPHA', 'BETA'] };
    const { body: result } = await sendRequest<{ records: unknown[] }>(server, 'POST', '/query/lucene', {
      token,
      body,
    });
    equal(result.records.length, 1);
  });

  test('an application with a list of datasets has no access to others, and only the listed permissions', async () => {
    const requiredDatasetAccess = [{ action: 'read' as const, datasetId }];
    const bound = await makeApplication({
      type: 'mls',
      requiredDatasetAccess,
      allowedUsers: [admin.id, person.id],
    });
    const { access_token: token } = await tokensFor(bound, admin);
    deepEqual(await namesFor(token), ['open']);
    equal(await namesFor(token, otherDataset), 404);
    const write = await sendRequest(server, 'POST', `/write/${datasetId}?isAsync=false`, {
      token,
      body: [{ name: 'x' }],
    });
    equal(write.status, 403);
    const listed = await sendRequest<{ data: { id: string }[] }>(server, 'GET', '/datasets?$limit=-1', {
      token,
    });
    deepEqual(
      listed.body.data.map(({ id }) => id),
      [datasetId],
    );
  });

  test('an application with a list of datasets does not see the permissions of other datasets', async () => {
    const bound = await makeApplication({
      type: 'mls',
      requiredDatasetAccess: [{ action: 'read' as const, datasetId }],
      allowedUsers: [admin.id, person.id],
    });
    for (const who of [admin, person]) {
      const { access_token: token } = await tokensFor(bound, who);
      const { body } = await sendRequest<{ total: number; data: { id: string; datasetId: string }[] }>(
        server,
        'GET',
        '/dataset-permissions?$limit=-1',
        { token },
      );
      deepEqual([body.total, ...body.data.map(({ datasetId: id }) => id)], [1, datasetId]);
    }
    const { body: all } = await sendRequest<{ data: { id: string; datasetId: string }[] }>(
      server,
      'GET',
      `/dataset-permissions?datasetId=${otherDataset}`,
      { token: person.token },
    );
    const { access_token: token } = await tokensFor(bound);
    equal(
      (await sendRequest(server, 'GET', `/dataset-permissions/${all.data[0]?.id}`, { token })).status,
      404,
    );
  });

  test('an application learns nothing about its person in other workspaces', async () => {
    const elsewhere = await createWorkspace(server);
    const added = await addMember(server, workspace, 'member', 'traveller');
    const traveller = await chooseOwnPassword(server, added);
    const { email, password } = traveller;
    const invited = await sendRequest<{ token: string }>(server, 'POST', '/users', {
      token: elsewhere.admin.token,
      body: { email, password, firstName: 'T', lastName: 'T', workspaceId: elsewhere.id },
    });
    const joined = await sendRequest(server, 'POST', '/invitations/accept', {
      token: traveller.token,
      body: { token: invited.body.token },
    });
    ok(joined.status < 300, JSON.stringify(joined.body));
    const countFor = async (accessToken: string): Promise<number> => {
      const body = { strategy: 'jwt', accessToken };
      const response = await sendRequest<{ user: { workspaceCount: number } }>(
        server,
        'POST',
        '/authentication',
        {
          body,
        },
      );
      return response.body.user.workspaceCount;
    };
    const application = await makeApplication({ allowedUsers: [traveller.id] });
    equal(await countFor((await tokensFor(application, traveller)).access_token), 1);
    equal(await countFor(traveller.token), 2);
  });

  test('two permissions that an application lists for one dataset both apply', async () => {
    const requiredDatasetAccess = [
      { action: 'read' as const, datasetId },
      { action: 'write' as const, datasetId },
    ];
    const bound = await makeApplication({ requiredDatasetAccess, allowedUsers: [admin.id] });
    const { access_token: token } = await tokensFor(bound, admin);
    const { body } = await sendRequest<{ currentUserPermissions: object }>(
      server,
      'GET',
      `/datasets/${datasetId}`,
      {
        token,
      },
    );
    deepEqual(body.currentUserPermissions, { read: true, write: true, manage: false });
  });

  test('the token of an application is not a token of its person, and has none of their privileges', async () => {
    const powerful = await makeApplication({ type: 'mls', allowedUsers: [admin.id] });
    const { access_token: token } = await tokensFor(powerful, admin);
    for (const path of ['/applications', '/api-keys']) {
      equal((await sendRequest(server, 'GET', path, { token })).status, 403, path);
    }
    const attribute = await sendRequest(server, 'POST', '/attributes', {
      token,
      body: { name: 'A', token: 'A' },
    });
    equal(attribute.status, 403);
    const page = await createFormBrowser(server).open(addressOf(powerful), {
      authorization: `Bearer ${token}`,
    });
    match(page.html, /Sign in to go on/);
  });

  test('a change of an application affects its tokens from the next request on', async () => {
    const changes: [string, (application: Application) => Promise<unknown>][] = [
      ['another type', (application) => change(application, { type: 'sls' })],
      [
        'another address',
        (application) => change(application, { redirectUrl: 'https://other.example.org/' }),
      ],
      ['another secret', (application) => change(application, { resetSecret: true })],
      [
        'other datasets',
        (application) => change(application, { requiredDatasetAccess: [{ action: 'read', datasetId }] }),
      ],
      [
        'the person is not allowed any more',
        (application) => change(application, { allowedUsers: [stranger.id] }),
      ],
      ['deleted', (application) => asAdmin('DELETE', `/applications/${application.id}`)],
    ];
    for (const [what, act] of changes) {
      const application = await makeApplication({ type: 'mls' });
      const tokens = await tokensFor(application);
      const code = await codeFor(application);
      equal(await meWith(tokens.access_token), 200, what);
      await act(application);
      equal(await meWith(tokens.access_token), 401, what);
      const responses = [await refresh(application, tokens.refresh_token), await exchange(application, code)];
      for (const { body } of responses) ok(['invalid_grant', 'invalid_client'].includes(body.error), what);
    }
  });

  test('a change without effect on an application keeps its tokens', async () => {
    const application = await makeApplication({ type: 'mls' });
    const { access_token: token } = await tokensFor(application);
    const { clientSecret: _, ...same } = application;
    await change(application, { ...same, name: 'Globe', visible: true, description: 'Globes' });
    equal(await meWith(token), 200);
  });

  test('the tokens of an application end with the membership, and a new membership does not restore them', async () => {
    const leaver = await addMember(server, workspace, 'member', 'leaver');
    const application = await makeApplication({ type: 'mls', allowedUsers: [leaver.id] });
    const tokens = await tokensFor(application, leaver);
    await asAdmin('PATCH', `/users/${leaver.id}`, { disabled: true });
    equal(await meWith(tokens.access_token), 401);
    equal((await refresh(application, tokens.refresh_token)).body.error, 'invalid_grant');
    await asAdmin('PATCH', `/users/${leaver.id}`, { disabled: false });
    equal(await meWith(tokens.access_token), 401);
    equal((await refresh(application, tokens.refresh_token)).body.error, 'invalid_grant');
  });

  test('changing the password revokes the grants of applications', async () => {
    const careful = await addMember(server, workspace, 'member', 'careful');
    const application = await makeApplication({ type: 'mls', allowedUsers: [careful.id] });
    const tokens = await tokensFor(application, careful);
    const body = { password: 'quite another one', currentPassword: careful.password };
    const { status } = await sendRequest(server, 'PATCH', `/users/${careful.id}`, {
      token: careful.token,
      body,
    });
    equal(status, 200);
    equal(await meWith(tokens.access_token), 401);
    equal((await refresh(application, tokens.refresh_token)).body.error, 'invalid_grant');
  });

  test('a code works once: its second use revokes the tokens of the first', async () => {
    const code = await codeFor(mls);
    const first = await exchange(mls, code);
    equal(first.status, 200);
    deepEqual(
      [(await exchange(mls, code)).body.error, await meWith(first.body.access_token)],
      ['invalid_grant', 401],
    );
    equal((await refresh(mls, first.body.refresh_token)).body.error, 'invalid_grant');
  });

  test('a used code is still detected as such after it has expired', async () => {
    const code = await codeFor(mls);
    const { body } = await exchange(mls, code);
    server.runtime.clock.advance(2 * 60 * 1000);
    equal(await meWith(body.access_token), 200);
    equal((await exchange(mls, code)).body.error, 'invalid_grant');
    equal(await meWith(body.access_token), 401);
  });

  test('after two concurrent exchanges of a code no token is valid', async () => {
    const code = await codeFor(mls);
    const results = await Promise.all([exchange(mls, code), exchange(mls, code)]);
    for (const { status, body } of results) {
      if (status === 200) equal(await meWith(body.access_token), 401);
      else equal(body.error, 'invalid_grant');
    }
  });

  test('a refresh token works once: its second use revokes the whole grant', async () => {
    const first = await tokensFor(mls);
    const second = (await refresh(mls, first.refresh_token)).body;
    const third = (await refresh(mls, second.refresh_token)).body;
    equal(await meWith(third.access_token), 200);
    equal((await refresh(mls, first.refresh_token)).body.error, 'invalid_grant');
    for (const token of [first, second, third]) equal(await meWith(token.access_token), 401);
    equal((await refresh(mls, third.refresh_token)).body.error, 'invalid_grant');
  });

  test('codes, access tokens and refresh tokens expire', async () => {
    const late = await codeFor(mls);
    server.runtime.clock.advance(61_000);
    equal((await exchange(mls, late)).body.error, 'invalid_grant');
    const tokens = await tokensFor(mls);
    server.runtime.clock.advance(60 * 60 * 1000);
    equal(await meWith(tokens.access_token), 401);
    const next = await refresh(mls, tokens.refresh_token);
    equal(next.status, 200);
    server.runtime.clock.advance(31 * 24 * 60 * 60 * 1000);
    equal((await refresh(mls, next.body.refresh_token)).body.error, 'invalid_grant');
    admin.token = await signIn(server, admin, workspace.id);
    person.token = await signIn(server, person, workspace.id);
  });

  test('only the application that a code or refresh token was issued to can use it, with its secret', async () => {
    const code = await codeFor(mls);
    const asOther = { ...secretOf(sls), redirect_uri: mls.redirectUrl };
    equal((await exchange(mls, code, asOther)).body.error, 'invalid_grant');
    const mixedUp = { client_id: sls.clientId };
    for (const wrong of [
      mixedUp,
      { client_secret: 'wrong' },
      { client_secret: '' },
      { client_id: 'nobody' },
    ]) {
      const { status, body, headers } = await exchange(mls, code, wrong);
      deepEqual([status, body.error], [401, 'invalid_client'], JSON.stringify(wrong));
      match(headers.get('www-authenticate') ?? '', /^Basic/);
    }
    const { status, body } = await exchange(mls, code);
    equal(status, 200);
    const stolen = await post('/oauth2/token', {
      ...secretOf(sls),
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
    });
    equal(stolen.body.error, 'invalid_grant');
    equal((await refresh(mls, body.refresh_token)).status, 200);
  });

  test('a client that authenticates in two ways, or not at all, is rejected', async () => {
    const basic = Buffer.from(`${mls.clientId}:${mls.clientSecret}`).toString('base64');
    const fields = { grant_type: 'refresh_token', refresh_token: 'x' };
    const headers = { authorization: `Basic ${basic}` };
    equal(
      (await post('/oauth2/token', { ...fields, ...secretOf(mls) }, headers)).body.error,
      'invalid_request',
    );
    equal((await post('/oauth2/token', fields, headers)).body.error, 'invalid_grant');
    equal((await post('/oauth2/token', fields)).body.error, 'invalid_client');
    const bearer = { authorization: `Bearer ${person.token}` };
    equal((await post('/oauth2/token', fields, bearer)).body.error, 'invalid_client');
  });

  test('PKCE is required, only with S256, and a wrong verifier uses up the code', async () => {
    const browser = createFormBrowser(server);
    for (const more of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge: verifier, code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
      { code_challenge: 'short' },
    ]) {
      const { status, location = '', ...page } = await browser.open(addressOf(mls, more));
      equal(status, 303, page.html);
      ok(location.startsWith(`${back}&`), location);
      const { error, state, iss } = responseParametersOf({ ...page, status, location });
      deepEqual([error, state, iss], ['invalid_request', 'state & more', server.url]);
    }
    for (const wrong of [`${verifier}x`, '', challenge]) {
      const code = await codeFor(mls);
      notEqual((await exchange(mls, code, { code_verifier: wrong })).status, 200);
      equal((await exchange(mls, code)).body.error, 'invalid_grant');
    }
  });

  test('nothing is sent to an address that differs from the redirect URL of the application', async () => {
    const browser = createFormBrowser(server);
    for (const redirect of [
      'https://evil.example.org/',
      `${back}/`,
      back.toUpperCase(),
      'https://atlas.example.org/back',
      undefined,
    ]) {
      const page = await browser.open(addressOf(mls, { redirect_uri: redirect }));
      deepEqual([page.status, page.location, page.forms], [400, undefined, []]);
    }
    const unknown = await browser.open(addressOf(mls, { client_id: '<script>' }));
    deepEqual([unknown.status, unknown.location], [400, undefined]);
    ok(!unknown.html.includes('<script>'));
    const code = await codeFor(mls);
    notEqual((await exchange(mls, code, { redirect_uri: 'https://evil.example.org/' })).status, 200);
  });

  test('other errors of a request are sent to the redirect URL of the application', async () => {
    const browser = createFormBrowser(server);
    const expected: [Record<string, string | undefined>, string][] = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_type: undefined }, 'invalid_request'],
      [{ scope: 'everything' }, 'invalid_scope'],
      [{ request: 'x' }, 'request_not_supported'],
      [{ request_uri: 'https://evil.example.org' }, 'request_uri_not_supported'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
    ];
    for (const [more, error] of expected) {
      equal(
        responseParametersOf(await browser.open(addressOf(mls, more))).error,
        error,
        JSON.stringify(more),
      );
    }
    const twice = await browser.open(`${addressOf(mls)}&client_id=another`);
    deepEqual([twice.status, twice.location], [400, undefined]);
    equal((await browser.open(addressOf(mls, { unheard_of: 'x' }))).status, 200);
  });

  test('unsupported grant types, and bodies that are not forms, are errors of RFC 6749', async () => {
    for (const grant of ['password', 'client_credentials', 'implicit']) {
      const { status, body } = await post('/oauth2/token', { ...secretOf(mls), grant_type: grant });
      deepEqual([status, Object.keys(body)], [400, ['error', 'error_description']]);
      ok(
        ['unsupported_grant_type', 'unauthorized_client', 'invalid_request'].includes(body.error),
        body.error,
      );
    }
    const response = await fetch(`${server.url}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    deepEqual([response.status, ((await response.json()) as OAuthResponse).error], [400, 'invalid_request']);
  });

  test('a person who denies is sent back without a code', async () => {
    const browser = createFormBrowser(server);
    const { error, code, state } = responseParametersOf(
      await decide(browser, await signInOn(browser, addressOf(mls), person), 'deny'),
    );
    deepEqual([error, code, state], ['access_denied', undefined, 'state & more']);
    const page = await browser.open(addressOf(mls));
    equal(responseParametersOf(await browser.submit(page.forms[1], {})).error, 'access_denied');
  });

  test('a person who may not use the application, or lacks a required permission, gets no code', async () => {
    const required = [{ action: 'manage' as const, datasetId }];
    const outOfReach = await makeApplication({ name: 'Outreach', requiredDatasetAccess: required });
    for (const [application, who] of [
      [mls, stranger],
      [outOfReach, person],
    ] as const) {
      const browser = createFormBrowser(server);
      const page = await signInOn(browser, addressOf(application), who);
      match(page.html, /You cannot use/);
      ok(!page.html.includes('Harbours'));
      const forced = await decide(browser, page, 'allow');
      equal(responseParametersOf(forced).code, undefined);
    }
  });

  test('a wrong password and a person of another workspace get the page again with the same message', async () => {
    const elsewhere = await createWorkspace(server);
    const browser = createFormBrowser(server);
    const pages = [
      await signInOn(browser, addressOf(mls), { ...person, password: 'not the one' }),
      await signInOn(browser, addressOf(mls), elsewhere.admin),
      await signInOn(browser, addressOf(mls), { ...person, email: 'nobody@example.org' }),
    ];
    for (const { status, html } of pages) {
      equal(status, 200);
      match(html, /role="alert">The email address or the password is wrong/);
      ok(!html.includes('not the one') && !html.includes(workspace.id));
    }
  });

  test('a person can use an existing session instead of signing in on the page', async () => {
    const browser = createFormBrowser(server);
    const page = await browser.open(addressOf(mls), { authorization: `Bearer ${person.token}` });
    match(page.html, /Let Atlas/);
    const { code } = responseParametersOf(await decide(browser, page, 'allow'));
    ok(code !== undefined);
    equal(await meWith(person.token), 200);
  });

  test('forms from another site or another browser are rejected', async () => {
    const browser = createFormBrowser(server);
    const page = await signInOn(browser, addressOf(mls), person);
    const [form] = page.forms;
    ok(form !== undefined);
    const fields = { ...form.fields, decision: 'allow' };
    const send = (headers: Record<string, string>, changed: Record<string, string> = {}) =>
      fetch(`${server.url}/oauth2/auth`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ ...fields, ...changed }),
        headers: { accept: 'text/html', ...headers },
      });
    const cookie = browser.cookies();
    const refused = [
      await send({}),
      await send({ cookie: 'redoubt-oauth=' }),
      await send({ cookie: createFormBrowser(server).cookies() }),
      await send({ cookie, 'sec-fetch-site': 'cross-site' }),
      await send({ cookie, 'sec-fetch-site': 'same-site' }),
      await send({ cookie }, { csrf: 'x' }),
      await send({ cookie }, { state: 'another' }),
      await send({ cookie }, { code_challenge: 'A'.repeat(43) }),
      await send({ cookie }, { client_id: sls.clientId, redirect_uri: sls.redirectUrl }),
    ];
    for (const response of refused) {
      deepEqual([response.status, response.headers.get('location')], [403, null], await response.text());
    }
    const other = createFormBrowser(server);
    await other.open(addressOf(mls));
    const moved = await other.submit((await other.open(addressOf(mls))).forms[1], {
      ticket: form.fields['ticket'] ?? '',
      decision: 'allow',
    });
    match(moved.html, /[Ss]ign in again/);
    equal((await send({ cookie })).status, 303);
  });

  test('a page that was open too long, or whose session has ended, asks to sign in again', async () => {
    const browser = createFormBrowser(server);
    const page = await signInOn(browser, addressOf(mls), person);
    server.runtime.clock.advance(10 * 60 * 1000);
    match((await decide(browser, page, 'allow')).html, /[Ss]ign in again/);
    const fresh = await signInOn(browser, addressOf(mls), person);
    equal((await decide(browser, fresh, 'allow')).status, 303);
    match((await decide(browser, fresh, 'allow')).html, /[Ss]ign in again/);
  });

  test('consent covers what the page showed: an application that has changed since asks again', async () => {
    const changes = [
      { type: 'mls' },
      { name: 'Globe' },
      { requiredDatasetAccess: [{ action: 'read', datasetId }] },
    ];
    for (const patch of changes) {
      const application = await makeApplication({ type: 'sls' });
      const browser = createFormBrowser(server);
      const page = await signInOn(browser, addressOf(application), person);
      await change(application, patch);
      const decided = await decide(browser, page, 'allow');
      deepEqual([decided.status, decided.location], [200, undefined], JSON.stringify(patch));
      match(decided.html, /[Ss]ign in again/);
    }
    const application = await makeApplication({ type: 'sls' });
    const browser = createFormBrowser(server);
    const page = await signInOn(browser, addressOf(application), person);
    const [decided] = await Promise.all([
      decide(browser, page, 'allow'),
      change(application, { type: 'mls' }),
    ]);
    const { code } = responseParametersOf(decided);
    const { status } = code === undefined ? { status: 400 } : await exchange(application, code);
    equal(status, 400);
  });

  test('the page runs no scripts, cannot be framed, and escapes values', async () => {
    const browser = createFormBrowser(server);
    const first = await browser.open(addressOf(mls, { state: '"><script>alert(1)</script>' }));
    const second = await browser.submit(first.forms[0], { email: person.email, password: person.password });
    for (const { html, headers } of [first, second]) {
      ok(!html.includes('<script') && !html.includes('Atlas <b>'));
      ok(html.includes('Atlas &lt;b&gt;&amp;&lt;/b&gt;'));
      const policy = headers.get('content-security-policy') ?? '';
      for (const rule of [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "form-action 'self' https://atlas.example.org",
      ]) {
        ok(policy.includes(rule), policy);
      }
      const [, style = ''] = /<style>(.*)<\/style>/s.exec(html) ?? [];
      ok(policy.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`));
      equal(headers.get('cache-control'), 'no-store');
      equal(headers.get('x-frame-options'), 'DENY');
    }
    const cookie = first.headers.get('set-cookie') ?? '';
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/oauth2']) ok(cookie.includes(part), cookie);
    ok(!first.html.includes(workspace.id) && !first.html.includes('Harbours'));
  });

  test('the page shows whose data the application gets, and in which datasets', async () => {
    const bound = await makeApplication({
      type: 'mls',
      requiredDatasetAccess: [{ action: 'read', datasetId }],
    });
    const browser = createFormBrowser(server);
    const { html } = await signInOn(browser, addressOf(bound), person);
    for (const text of [person.email, 'Harbours', 'with all your attributes', 'atlas.example.org']) {
      ok(html.includes(text), text);
    }
    const open = await signInOn(browser, addressOf(sls), person);
    for (const text of ['without a security label only', 'that you can reach in this workspace'])
      ok(open.html.includes(text), text);
  });

  test('revoking a token revokes its grant, and only its own application can do it', async () => {
    const tokens = await tokensFor(mls);
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      equal((await post('/oauth2/revoke', { ...secretOf(sls), token })).status, 200);
    }
    equal(await meWith(tokens.access_token), 200);
    equal((await post('/oauth2/revoke', { token: tokens.access_token })).body.error, 'invalid_client');
    const { status, body } = await post('/oauth2/revoke', { ...secretOf(mls), token: tokens.access_token });
    deepEqual([status, body], [200, {}]);
    equal(await meWith(tokens.access_token), 401);
    equal((await refresh(mls, tokens.refresh_token)).body.error, 'invalid_grant');
    equal((await post('/oauth2/revoke', { ...secretOf(mls), token: person.token })).status, 200);
    equal(await meWith(person.token), 200);
  });

  test('an application that signs out has no access left', async () => {
    const tokens = await tokensFor(mls);
    equal(
      (await sendRequest(server, 'DELETE', '/authentication/null', { token: tokens.access_token })).status,
      200,
    );
    equal((await refresh(mls, tokens.refresh_token)).body.error, 'invalid_grant');
  });

  test('signing in on the page leaves no session behind', async () => {
    const lonely = await addMember(server, workspace, 'member', 'lonely');
    const application = await makeApplication({ allowedUsers: [lonely.id] });
    const browser = createFormBrowser(server);
    const page = await signInOn(browser, addressOf(application), lonely);
    const [sessionId = ''] = (page.forms[0]?.fields['ticket'] ?? '').split('.');
    match(sessionId, /^[0-9a-f-]{36}$/);
    await decide(browser, page, 'allow');
    match((await decide(browser, page, 'allow')).html, /[Ss]ign in again/);
  });

  test('the audit log contains consents to applications and revoked grants', async () => {
    const application = await makeApplication({ name: 'Logged' });
    const code = await codeFor(application);
    await exchange(application, code);
    await exchange(application, code);
    const body = { expression: 'Logged', limit: -1 };
    const response = await sendRequest<{ data: { description: string; actor: string; type: string }[] }>(
      server,
      'POST',
      '/audit-log/query',
      { token: admin.token, body },
    );
    const events = response.body.data.map(({ description, actor, type }) => [type, actor, description]);
    for (const event of [
      ['WorkspaceManagement', admin.email, 'created the application "Logged"'],
      ['Login', person.email, 'allowed the application "Logged" to act for them'],
      [
        'Login',
        person.email,
        'revoked the grant of the application "Logged": a code or a refresh token was used twice',
      ],
    ]) {
      ok(JSON.stringify(events).includes(JSON.stringify(event)), JSON.stringify(response.body));
    }
    ok(!JSON.stringify(response.body).includes(code));
  });

  test('a job of an application changes only what is visible to the application, and stops when the grant ends', async () => {
    const dataset = await makeDataset('Jobs');
    await writeLabelled(dataset);
    const application = await makeApplication({ type: 'sls', allowedUsers: [admin.id] });
    const { access_token: token } = await tokensFor(application, admin);
    const deleteAll = async (): Promise<void> => {
      const path = `/storage/datasets/${dataset}/deleteRecords/query`;
      equal((await sendRequest(server, 'POST', path, { token, body: { query: '*' } })).status, 202);
    };
    await deleteAll();
    await server.jobsSettled();
    deepEqual(await namesFor(person.token, dataset), ['alpha']);
    await writeLabelled(dataset);
    const release = server.holdChanges();
    await deleteAll();
    await change(application, { allowedUsers: [] });
    release();
    await server.jobsSettled();
    deepEqual(await namesFor(person.token, dataset), ['alpha', 'alpha', 'open']);
  });

  test('people see the sessions of applications among their own, and ending one revokes its grant', async () => {
    const owner = await addMember(server, workspace, 'member', 'owner');
    const application = await makeApplication({ allowedUsers: [owner.id] });
    const sessionsOf = async (): Promise<{ id: string; credential: string }[]> => {
      const response = await sendRequest<{ data: { id: string; credential: string }[] }>(
        server,
        'GET',
        '/sessions',
        {
          token: owner.token,
        },
      );
      return response.body.data.filter(({ credential }) => credential === 'application');
    };
    const tokens = await tokensFor(application, owner);
    const again = (await refresh(application, tokens.refresh_token)).body;
    const [session, ...others] = await sessionsOf();
    equal(others.length, 1);
    equal(
      (await sendRequest(server, 'DELETE', `/sessions/${session?.id}`, { token: owner.token })).status,
      200,
    );
    deepEqual(await sessionsOf(), []);
    for (const { access_token: token } of [tokens, again]) equal(await meWith(token), 401);
    equal((await refresh(application, again.refresh_token)).body.error, 'invalid_grant');
  });
});

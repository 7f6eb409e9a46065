import {
  routes,
  type applicationGrantRoutes,
  type applicationRoutes,
  type oauthRoutes,
} from '@redoubt/contract';
import { createHash } from 'node:crypto';
import { listBriefRequests, listRequests, requests, type Case } from '../case.ts';
import type { Scenario } from '../scenario.ts';
import { as, bodyOf, type WireResponse, type SendToBoth, type Request } from '@redoubt/testkit/requests';

/** Requests of the reader and of an admin of another workspace about applications that are hidden from them. */
const aboutHidden = (
  { people: { reader, outsider }, hidden }: Scenario,
  request: (person: { token: string }, id: string) => Request,
): Request[] =>
  [reader, outsider].flatMap((person) =>
    [hidden.application.id, 'nowhere-at-all'].map((id) => request(person, id)),
  );

const path = '/applications';
const newApplication = {
  name: 'Globe',
  url: 'https://globe.example.org',
  redirectUrl: 'https://globe.example.org/back',
};

export const applicationCases: Record<keyof typeof applicationRoutes, Case> = {
  listApplications: requests(({ people: { reader, outsider, workspace }, hidden }) => {
    const aims = {
      id: [hidden.application.id],
      name: ['Hidden application', 'Atlas'],
      clientId: [hidden.application.clientId],
      workspaceId: [hidden.workspace.id, workspace.id],
      redirectUrl: ['https://hidden.example.org/back'],
      type: ['sls', 'mls'],
    };
    return [
      ...listRequests(routes.listApplications, reader, aims),
      ...listBriefRequests(routes.listApplications, outsider, aims),
    ];
  }),
  getApplication: requests((scenario) => [
    ...aboutHidden(scenario, (person, id) => as(person).get(`${path}/${id}`)),
    as(scenario.people.reader).get(`${path}/${scenario.application.id}`),
  ]),
  createApplication: requests(({ people: { reader, outsider, elsewhere, workspace }, hidden }) => [
    as(reader).post(path, { ...newApplication, workspaceId: workspace.id }),
    ...[hidden.workspace.id, workspace.id].map((workspaceId) =>
      as(outsider).post(path, { ...newApplication, workspaceId }),
    ),
    ...[hidden.dataset, hidden.foreignDataset].map((datasetId) =>
      as(outsider).post(path, {
        ...newApplication,
        workspaceId: elsewhere.id,
        requiredDatasetAccess: [{ action: 'read', datasetId }],
      }),
    ),
    as(outsider).post(path, {
      ...newApplication,
      workspaceId: elsewhere.id,
      allowedUsers: [hidden.hider.id],
    }),
    as(outsider).post(path, { ...newApplication, workspaceId: elsewhere.id }),
  ]),
  patchApplication: async (send, scenario) => {
    const { outsider, elsewhere, reader } = scenario.people;
    for (const request of aboutHidden(scenario, (person, id) =>
      as(person).patch(`${path}/${id}`, { name: 'Mine' }),
    )) {
      await send(request);
    }
    await send(as(reader).patch(`${path}/${scenario.application.id}`, { name: 'Mine' }));
    const body = { ...newApplication, workspaceId: elsewhere.id };
    const { id } = bodyOf(await send(as(outsider).post(path, body))) as { id: string };
    await send(as(outsider).patch(`${path}/${id}`, { resetSecret: true, allowedUsers: [outsider.id] }));
  },
  deleteApplication: async (send, scenario) => {
    const { outsider, elsewhere, reader } = scenario.people;
    for (const request of aboutHidden(scenario, (person, id) => as(person).remove(`${path}/${id}`))) {
      await send(request);
    }
    await send(as(reader).remove(`${path}/${scenario.application.id}`));
    const body = { ...newApplication, workspaceId: elsewhere.id };
    const { id } = bodyOf(await send(as(outsider).post(path, body))) as { id: string };
    await send(as(outsider).remove(`${path}/${id}`));
  },
};

const verifier = 'a-verifier-of-at-least-forty-three-characters-0123';
const cookie = `redoubt-oauth=${'b'.repeat(32)}`;

const asForm = (fields: Readonly<Record<string, string>>): Pick<Request, 'body' | 'headers'> => ({
  body: Buffer.from(new URLSearchParams(fields).toString()),
  headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
});
const post = (to: string, fields: Readonly<Record<string, string>>): Request => ({
  method: 'POST',
  path: to,
  ...asForm(fields),
});

const authorizationOf = ({ clientId, redirectUrl }: Scenario['application']) => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: redirectUrl,
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
});
const open = (fields: Readonly<Record<string, string>>, token?: string): Request => ({
  method: 'GET',
  path: `/oauth2/auth?${new URLSearchParams(fields).toString()}`,
  headers: { cookie },
  ...(token === undefined ? {} : { token }),
});

/** The hidden fields of the first form of the page. */
const fieldsIn = ({ body }: WireResponse): Record<string, string> =>
  Object.fromEntries(
    [...(body.split('</form>')[0] ?? '').matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

/** Allows the application to act for the reader. Returns the code that the application gets. */
const codeFor = async (send: SendToBoth, { application, people: { reader } }: Scenario): Promise<string> => {
  const page = await send(open(authorizationOf(application), reader.token));
  const { headers } = await send(post('/oauth2/auth', { ...fieldsIn(page), decision: 'allow' }));
  const location = headers?.find(([name]) => name === 'location')?.[1] ?? 'http://nowhere';
  return new URL(location).searchParams.get('code') ?? '';
};
const secretOf = ({
  clientId,
  clientSecret,
}: Pick<Scenario['application'], 'clientId' | 'clientSecret'>) => ({
  client_id: clientId,
  client_secret: clientSecret,
});
const tokensFor = async (send: SendToBoth, scenario: Scenario) => {
  const { application } = scenario;
  const response = await send(
    post('/oauth2/token', {
      ...secretOf(application),
      grant_type: 'authorization_code',
      code: await codeFor(send, scenario),
      redirect_uri: application.redirectUrl,
      code_verifier: verifier,
    }),
  );
  return bodyOf(response) as { access_token: string; refresh_token: string };
};

export const oauthCases: Record<keyof typeof oauthRoutes, Case> = {
  authorizeApplication: requests(({ application, people: { reader, insider, outsider } }) => {
    const fields = authorizationOf(application);
    return [
      open(fields),
      ...[reader, insider, outsider].map(({ token }) => open(fields, token)),
      open({ ...fields, redirect_uri: 'https://hidden.example.org/back' }),
      open({ ...fields, client_id: 'nowhere-at-all' }),
      open({ ...fields, scope: 'all' }),
    ];
  }),
  answerApplication: async (send, scenario) => {
    const { application, people, hidden } = scenario;
    const page = fieldsIn(await send(open(authorizationOf(application))));
    const { reader, loner } = people;
    for (const { email, password } of [hidden.hider, { ...reader, password: 'a wrong one' }, loner, reader]) {
      await send(post('/oauth2/auth', { ...page, email, password }));
    }
    await codeFor(send, scenario);
    await send(post('/oauth2/auth', { ...page, step: 'decide', decision: 'deny' }));
    await send(post('/oauth2/auth', { ...page, csrf: 'x' }));
  },
  exchangeOAuthToken: async (send, scenario) => {
    const { application, datasets, hidden } = scenario;
    const { access_token: token, refresh_token: refresh } = await tokensFor(send, scenario);
    for (const dataset of [datasets.shared, datasets.notes, datasets.mine, hidden.dataset]) {
      await send(as({ token }).get(`/datasets/${dataset}`));
      await send(as({ token }).post('/query/lucene', { datasetId: dataset, expression: '*', limit: -1 }));
    }
    await send(as({ token }).get('/datasets?$limit=-1'));
    await send(as({ token }).get('/attributes?$limit=-1'));
    const fields = { ...secretOf(application), grant_type: 'refresh_token', refresh_token: refresh };
    await send(post('/oauth2/token', fields));
    await send(post('/oauth2/token', fields));
    await send(post('/oauth2/token', { ...fields, ...secretOf(hidden.application), client_secret: 'x' }));
  },
  revokeOAuthToken: async (send, scenario) => {
    const { application, people } = scenario;
    const { access_token: token } = await tokensFor(send, scenario);
    await send(post('/oauth2/revoke', { ...secretOf(application), token: people.reader.token }));
    await send(post('/oauth2/revoke', { ...secretOf(application), token }));
    await send(as({ token }).get('/me'));
  },
  getOAuthMetadata: requests(() => [{ method: 'GET', path: '/.well-known/oauth-authorization-server' }]),
};

const grantsPath = '/application-grants';

export const applicationGrantCases: Record<keyof typeof applicationGrantRoutes, Case> = {
  listApplicationGrants: async (send, scenario) => {
    const { people, hidden, application } = scenario;
    await tokensFor(send, scenario);
    const aims = {
      id: [hidden.applicationGrant],
      applicationId: [hidden.application.id, application.id],
      name: ['Walker mls', 'Hidden application', 'Atlas'],
      workspaceId: [hidden.workspace.id, people.workspace.id],
      type: ['mls', 'sls'],
    };
    for (const request of listRequests(routes.listApplicationGrants, people.reader, aims))
      await send(request);
    for (const person of [people.outsider, people.loner]) {
      for (const request of listBriefRequests(routes.listApplicationGrants, person, aims))
        await send(request);
    }
  },
  deleteApplicationGrant: async (send, scenario) => {
    const { reader, outsider } = scenario.people;
    const { access_token: token } = await tokensFor(send, scenario);
    const { data } = bodyOf(await send(as(reader).get(`${grantsPath}?$sort[createdAt]=-1`))) as {
      data: { id: string }[];
    };
    for (const id of [scenario.hidden.applicationGrant, scenario.hidden.application.id, 'nowhere-at-all'])
      await send(as(reader).remove(`${grantsPath}/${id}`));
    for (const person of [outsider, reader, reader])
      await send(as(person).remove(`${grantsPath}/${data[0]?.id ?? ''}`));
    await send(as({ token }).get('/me'));
  },
};

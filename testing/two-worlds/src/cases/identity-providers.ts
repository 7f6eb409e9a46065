import { routes, type customIdentityProviderRoutes, type singleSignOnRoutes } from '@redoubt/contract';
import { listBriefRequests, listRequests, requests, type Case } from '../case.ts';
import { providerConfig } from '@redoubt/testkit/requests';
import type { Scenario } from '../scenario.ts';
import { as, bodyOf, type SendToBoth, type Request } from '@redoubt/testkit/requests';

/** Requests of a member of the workspace and of an admin of another one about providers that are hidden from them. */
const aboutHidden = (
  { people: { reader, outsider }, hidden }: Scenario,
  request: (person: { token: string }, id: string) => Request,
): Request[] =>
  [reader, outsider].flatMap((person) =>
    [hidden.identityProvider, hidden.foreignProvider, 'nowhere-at-all'].map((id) => request(person, id)),
  );

const path = '/custom-identity-providers';
const own = { config: providerConfig('own') };

/** Sends requests about a provider of the requester's own workspace, and removes it. */
const withOwn = async (
  send: SendToBoth,
  { people: { outsider } }: Scenario,
  about: (id: string, outsider: { token: string }) => Request,
): Promise<void> => {
  const made = await send(as(outsider).post(path, { ...own, providerType: 'keycloak' }));
  const { id } = bodyOf(made) as { id: string };
  await send(about(id, outsider));
  await send(as(outsider).remove(`${path}/${id}`));
};

export const identityProviderCases: Record<keyof typeof customIdentityProviderRoutes, Case> = {
  listCustomIdentityProviders: requests(({ people: { reader, outsider, workspace }, hidden }) => {
    const aims = {
      id: [hidden.identityProvider, hidden.foreignProvider],
      workspaceId: [hidden.workspace.id, workspace.id],
      providerType: ['okta', 'custom'],
    };
    return [
      ...listRequests(routes.listCustomIdentityProviders, reader, aims),
      ...listBriefRequests(routes.listCustomIdentityProviders, outsider, aims),
    ];
  }),
  getCustomIdentityProvider: async (send, scenario) => {
    for (const request of aboutHidden(scenario, (person, id) => as(person).get(`${path}/${id}`))) {
      await send(request);
    }
    await withOwn(send, scenario, (id, outsider) => as(outsider).get(`${path}/${id}`));
  },
  createCustomIdentityProvider: requests(({ people: { reader, outsider, workspace }, hidden }) => [
    as(reader).post(path, own),
    as(reader).post(path, { ...own, providerType: 'okta' }),
    ...[hidden.workspace.id, workspace.id].map((workspaceId) =>
      as(outsider).post(path, { ...own, workspaceId }),
    ),
    as(outsider).post(path, own),
    as(outsider).post(path, { ...own, providerType: 'okta' }),
    as(outsider).get(path),
  ]),
  patchCustomIdentityProvider: async (send, scenario) => {
    const change = { config: { key: 'mine', secret: 'mine' } };
    for (const request of aboutHidden(scenario, (person, id) => as(person).patch(`${path}/${id}`, change))) {
      await send(request);
    }
    await withOwn(send, scenario, (id, outsider) => as(outsider).patch(`${path}/${id}`, change));
  },
  deleteCustomIdentityProvider: async (send, scenario) => {
    for (const request of aboutHidden(scenario, (person, id) => as(person).remove(`${path}/${id}`))) {
      await send(request);
    }
    await withOwn(send, scenario, (_id, outsider) => as(outsider).get(path));
  },
};

/**
 * These calls disclose the provider of a workspace to anyone who names the workspace, and must disclose nothing else.
 */
export const singleSignOnCases: Record<keyof typeof singleSignOnRoutes, Case> = {
  getSignInOptions: requests(({ people: { reader, outsider, workspace }, hidden }) => [
    ...[hidden.workspace.id, hidden.workspace.uniqueId, workspace.id, 'nowhere-at-all'].map((workspaceId) =>
      as(reader).get(`/sign-in-options?workspaceId=${workspaceId}`),
    ),
    as(outsider).get('/sign-in-options'),
  ]),
  beginSingleSignOn: requests(({ people: { reader, workspace }, hidden }) => [
    ...[hidden.workspace.id, hidden.workspace.uniqueId, workspace.id, 'nowhere-at-all'].map((workspaceId) =>
      as(reader).get(`/sso/keycloak/login?workspaceId=${workspaceId}`),
    ),
    as(reader).get('/sso/google/login'),
    as(reader).get(`/sso/${hidden.identityProvider}/login`),
    as(reader).get(`/sso/google/login?returnTo=//${hidden.workspace.id}.example.org`),
  ]),
  finishSingleSignOn: requests(({ people: { reader }, hidden }) =>
    ['custom', 'okta', hidden.identityProvider].map((provider) =>
      as(reader).get(`/sso/${provider}/callback?code=a&state=b`),
    ),
  ),
};

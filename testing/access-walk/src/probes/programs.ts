import type {
  apiKeyRoutes,
  applicationGrantRoutes,
  applicationRoutes,
  auditLogRoutes,
  billingRoutes,
  customIdentityProviderRoutes,
  oauthRoutes,
  singleSignOnRoutes,
  systemRoutes,
} from '@redoubt/contract';
import { providerConfig } from '@redoubt/testkit/requests';
import { as, done, type Send } from '@redoubt/testkit/requests';
import type { AccessFixture } from '../access-fixture.ts';
import { applicationToken } from '@redoubt/testkit/requests';
import { fresh, standing, type Probe } from '../probe.ts';

const keyOf = (workspaceId: string) => ({
  name: fresh('Key'),
  workspaceId,
  groupNames: [],
  attributeNames: [],
});

/** Creates a key of the person `self`. */
const newKey = async ({ self, workspace }: AccessFixture, send: Send): Promise<string> =>
  (await done(send, as(self).post('/api-keys', keyOf(workspace.id)))).id;

export const apiKeyProbes: Record<keyof typeof apiKeyRoutes, Probe> = {
  listApiKeys: { make: async (fixture, send) => ({ request: {}, listed: await newKey(fixture, send) }) },
  createApiKey: standing(({ workspace }) => ({ request: () => ({ body: keyOf(workspace.id) }) })),
  getApiKey: {
    make: async (fixture, send) => ({ request: { params: { id: await newKey(fixture, send) } } }),
  },
  patchApiKey: {
    make: async (fixture, send) => {
      const id = await newKey(fixture, send);
      return {
        request: ({ name }) => ({
          params: { id },
          body: name === 'self' ? { description: 'Mine' } : { revoked: true },
        }),
      };
    },
  },
  deleteApiKey: {
    make: async (fixture, send) => ({ request: { params: { id: await newKey(fixture, send) } } }),
  },
};

const applicationOf = (workspaceId: string) => ({
  name: fresh('Application'),
  url: 'https://application.example',
  redirectUrl: 'https://application.example/back',
  workspaceId,
});

/** Creates an application that the person `self` may use. */
const newApplication = async ({ arranger, self, workspace }: AccessFixture, send: Send): Promise<string> => {
  const body = { ...applicationOf(workspace.id), visible: true, allowedUsers: [self.id] };
  return (await done(send, as(arranger).post('/applications', body))).id;
};

const ofApplication = (body?: unknown): Probe => ({
  make: async (fixture, send) => ({
    request: {
      params: { id: await newApplication(fixture, send) },
      ...(body === undefined ? {} : { body }),
    },
  }),
});

export const applicationProbes: Record<keyof typeof applicationRoutes, Probe> = {
  listApplications: {
    make: async (fixture, send) => ({ request: {}, listed: await newApplication(fixture, send) }),
  },
  createApplication: standing(({ workspace }) => ({
    request: () => ({ body: applicationOf(workspace.id) }),
  })),
  getApplication: ofApplication(),
  patchApplication: ofApplication({ description: 'Any' }),
  deleteApplication: ofApplication(),
};

/** A new grant of the person `self` for the application. */
const newGrant = async ({ arranger, self, workspace }: AccessFixture, send: Send): Promise<string> => {
  await applicationToken(send, arranger, workspace.id, self, 'mls');
  const path = '/application-grants?$sort[createdAt]=-1&$limit=1';
  const { data } = await done<{ data: { id: string }[] }>(send, as(self).get(path));
  return data[0]?.id ?? '';
};

export const applicationGrantProbes: Record<keyof typeof applicationGrantRoutes, Probe> = {
  listApplicationGrants: {
    make: async (fixture, send) => ({ request: {}, listed: await newGrant(fixture, send) }),
  },
  deleteApplicationGrant: {
    make: async (fixture, send) => ({ request: { params: { id: await newGrant(fixture, send) } } }),
  },
};

/** Removes all providers, because a workspace has at most one of each type. */
const noProvider = async ({ arranger }: AccessFixture, send: Send): Promise<void> => {
  const { data } = await done<{ data: { id: string }[] }>(
    send,
    as(arranger).get('/custom-identity-providers?$limit=-1'),
  );
  for (const { id } of data) await done(send, as(arranger).remove(`/custom-identity-providers/${id}`));
};

const newProvider = async (fixture: AccessFixture, send: Send): Promise<string> => {
  await noProvider(fixture, send);
  const config = providerConfig(fresh('provider'));
  return (await done(send, as(fixture.arranger).post('/custom-identity-providers', { config }))).id;
};

export const identityProviderProbes: Record<keyof typeof customIdentityProviderRoutes, Probe> = {
  listCustomIdentityProviders: {
    make: async (fixture, send) => ({ request: {}, listed: await newProvider(fixture, send) }),
  },
  createCustomIdentityProvider: {
    make: async (fixture, send) => {
      await noProvider(fixture, send);
      return { request: { body: { config: providerConfig(fresh('provider')) } } };
    },
  },
  getCustomIdentityProvider: {
    make: async (fixture, send) => ({ request: { params: { id: await newProvider(fixture, send) } } }),
  },
  patchCustomIdentityProvider: {
    make: async (fixture, send) => ({
      request: { params: { id: await newProvider(fixture, send) }, body: { providerType: 'custom' } },
    }),
  },
  deleteCustomIdentityProvider: {
    make: async (fixture, send) => ({ request: { params: { id: await newProvider(fixture, send) } } }),
  },
};

const configOf = async ({ arranger }: AccessFixture, send: Send): Promise<string> => {
  const { data } = await done<{ data: { id: string }[] }>(send, as(arranger).get('/audit-log-configs'));
  return data[0]?.id ?? '';
};

export const auditLogProbes: Record<keyof typeof auditLogRoutes, Probe> = {
  queryAuditLog: standing(() => ({ request: { body: { expression: '*:*' } } })),
  listAuditLogConfigs: {
    make: async (fixture, send) => ({ request: {}, listed: await configOf(fixture, send) }),
  },
  patchAuditLogConfig: {
    make: async (fixture, send) => ({
      request: { params: { auditLogConfigsId: await configOf(fixture, send) }, body: { keepForever: true } },
    }),
  },
};

/** A probe of a call that needs the payment host. There is none here, so callers with access get 400 or 501. */
const withoutPayments = (body?: unknown): Probe => ({
  ...standing(() => ({ request: body === undefined ? {} : { body } })),
  letThrough: [400, 501],
});

export const billingProbes: Record<keyof typeof billingRoutes, Probe> = {
  getUsage: standing(() => ({ request: {} })),
  startCheckout: withoutPayments(),
  openBillingPortal: withoutPayments(),
  receiveBillingEvent: withoutPayments({}),
};

/** Sign-in requests are rejected because of their content, not because of the requester. */
const open = (search?: string, params?: Readonly<Record<string, string>>): Probe => ({
  ...standing(() => ({
    request: { ...(search === undefined ? {} : { search }), ...(params === undefined ? {} : { params }) },
  })),
  letThrough: [303, 400, 401, 404],
});

export const oauthProbes: Record<keyof typeof oauthRoutes, Probe> = {
  authorizeApplication: open('?response_type=code&client_id=unknown'),
  answerApplication: open(),
  exchangeOAuthToken: open(),
  revokeOAuthToken: open(),
  getOAuthMetadata: open(),
};

export const singleSignOnProbes: Record<keyof typeof singleSignOnRoutes, Probe> = {
  getSignInOptions: standing(() => ({ request: {} })),
  beginSingleSignOn: open(undefined, { provider: 'unknown' }),
  finishSingleSignOn: open(undefined, { provider: 'unknown' }),
};

export const systemProbes: Record<keyof typeof systemRoutes, Probe> = {
  getHealth: standing(() => ({ request: {} })),
  getOpenApi: standing(() => ({ request: {} })),
};

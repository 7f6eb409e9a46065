/* Shows: D-session-none, D-deny-by-default, R-error-body, R-error-4xx, X-AuthError, X-catalogue-closed,
   R-status-401, L10, L34, R-input-unknown-key, R-input-malformed, R-route-declared */
import { allRoutes, commonErrors, findAccessRule, type RouteDescriptor } from '@redoubt/contract';
import { errorCatalogue } from '@redoubt/errors';
import { sendRequest, createWorkspace, signUp, type TestResponse } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

interface ErrorBody {
  name: string;
  message: string;
  code: number;
}

const unknown = 'no_such_thing';
const none = (problems: readonly string[]): void => deepEqual(problems, []);
/** The routes that follow the conventions of this API; the tests of OAuth cover the others. */
const conventional = allRoutes.filter(({ protocol }) => protocol === undefined);
const needsCredential = allRoutes.filter(({ caller }) => caller !== 'anyone');

/** The keys of a body, if it is an object. */
const bodyKeys = ({ body }: RouteDescriptor): string[] | undefined =>
  body !== undefined && 'properties' in body ? Object.keys(body.properties as object) : undefined;

/** Runs a check on all routes, and fails with a list of the problems it found. */
const checkRoutes = async (
  all: readonly RouteDescriptor[],
  check: (route: RouteDescriptor) => Promise<string | undefined>,
): Promise<void> => {
  const problems: string[] = [];
  for (const route of all) {
    const problem = await check(route);
    if (problem !== undefined) problems.push(`${route.operationId}: ${problem}`);
  }
  none(problems);
};

/** Checks that a response is an error with this status and text; gives the problem, if any. */
const checkError = (response: TestResponse<ErrorBody>, status: number, mention = ''): string | undefined =>
  response.status === status && response.body.message.includes(mention)
    ? undefined
    : `${response.status} ${response.body.message}`;

describe('every route', () => {
  let server: TestServer;
  let token: string;
  let unboundToken: string;
  let datasetId: string;
  before(async () => {
    server = await startServer();
    const workspace = await createWorkspace(server);
    ({ token } = workspace.admin);
    ({ token: unboundToken } = await signUp(server));
    const body = { name: 'Any', workspaceId: workspace.id };
    ({ id: datasetId } = (
      await sendRequest<{ id: string }>(server, 'POST', '/datasets', { token, body })
    ).body);
  });
  after(() => server.close());

  /** The paths of the route, filled with ids: that of an existing dataset for `datasetId`. */
  const pathsOf = ({ path, aliases = [] }: RouteDescriptor): string[] =>
    [path, ...aliases].map((one) =>
      one.replaceAll('{datasetId}', datasetId).replaceAll(/\{\w+\}/g, 'some-id'),
    );
  const send = async (
    route: RouteDescriptor,
    options: { token?: string; search?: string; body?: unknown } = {},
  ): Promise<TestResponse<ErrorBody>> => {
    const [path = ''] = pathsOf(route);
    const { search = '', ...rest } = options;
    return sendRequest<ErrorBody>(server, route.method, `${path}${search}`, rest);
  };
  test('the server answers every route of the contract, in every spelling of its path', async () => {
    await checkRoutes(allRoutes, async (route) => {
      for (const path of pathsOf(route)) {
        const { status, body } = await sendRequest<ErrorBody>(server, route.method, path, {});
        if (
          status === 404 &&
          body.message.startsWith('There is no ') &&
          body.message.endsWith('in this API.')
        ) {
          return `${path} is not bound`;
        }
      }
      return undefined;
    });
  });

  test('every route declares who may call it, its access rule, and its errors', () => {
    for (const { operationId, caller, errors, params, description, summary } of allRoutes) {
      ok(/^[a-z][A-Za-z0-9]+$/.test(operationId), operationId);
      for (const text of [description, summary]) notEqual(text.trim(), '', operationId);
      notEqual(findAccessRule(operationId), undefined, operationId);
      const declared = new Set<string>(errors);
      equal(declared.has('AuthError') || caller === 'anyone', true, `${operationId} declares no AuthError`);
      equal(declared.has('ForbiddenError') || caller !== 'member', true, `${operationId}: ForbiddenError`);
      equal(declared.has('NotFoundError') || params === undefined, true, `${operationId}: NotFoundError`);
      for (const name of commonErrors) ok(!declared.has(name), `${operationId} repeats ${name}`);
    }
  });

  test('L34: the routes that need no credential are a fixed list, and none of them discloses data', async () => {
    const open = allRoutes.filter(({ caller }) => caller === 'anyone');
    deepEqual(open.map(({ operationId }) => operationId).toSorted(), [
      'answerApplication',
      'authenticate',
      'authorizeApplication',
      'beginSingleSignOn',
      'confirmEmail',
      'confirmEmailChange',
      'confirmPasswordReset',
      'createUser',
      'exchangeOAuthToken',
      'finishSingleSignOn',
      'getHealth',
      'getMediaFile',
      'getOAuthMetadata',
      'getOpenApi',
      'getSignInOptions',
      'joinWorkspace',
      'lookAtInvitation',
      'receiveBillingEvent',
      'requestPasswordReset',
      'revokeOAuthToken',
      'signOut',
    ]);
    deepEqual((await sendRequest(server, 'GET', '/health')).body, { status: 'ok' });
    const description = JSON.stringify((await sendRequest(server, 'GET', '/openapi.json')).body);
    for (const text of [datasetId, 'admin1@', 'workspace2']) ok(!description.includes(text), text);
  });

  test('every route that needs a credential is 401 without one and with an invalid one', async () => {
    await checkRoutes(needsCredential, async (route) => {
      const responses = [await send(route), await send(route, { token: 'no.such.token' })];
      return responses.map((response) => checkError(response, 401)).find((problem) => problem !== undefined);
    });
  });

  test('every route for members is 403 in a session that is not bound to a workspace', async () => {
    const forMembers = allRoutes.filter(({ caller }) => caller === 'member');
    await checkRoutes(forMembers, async (route) =>
      checkError(await send(route, { token: unboundToken }), 403, 'not bound to a workspace'),
    );
  });

  test('every route rejects an unknown query parameter by its name', async () => {
    await checkRoutes(conventional, async (route) => {
      const credential = route.caller === 'anyone' ? {} : { token };
      return checkError(await send(route, { ...credential, search: `?${unknown}=1` }), 400, unknown);
    });
  });

  test('every route with an object as its body rejects an unknown key by its name', async () => {
    const withBody = conventional.filter(
      (route) => bodyKeys(route) !== undefined && route.bodyType !== 'multipart/form-data',
    );
    ok(withBody.length > 15);
    await checkRoutes(withBody, async (route) => {
      const credential = route.caller === 'anyone' ? {} : { token };
      const search = route.query?.properties['isAsync'] === undefined ? '' : '?isAsync=false';
      const body = { ...(bodyKeys(route)?.includes('records') && { records: [] }), [unknown]: 1 };
      return checkError(await send(route, { ...credential, search, body }), 400, unknown);
    });
  });

  test('every route with a body rejects a missing one and invalid JSON', async () => {
    const withBody = conventional.filter(({ body }) => body !== undefined);
    await checkRoutes(withBody, async (route) => {
      const [path = ''] = pathsOf(route);
      const credential = route.caller === 'anyone' ? {} : { authorization: `Bearer ${token}` };
      for (const body of [undefined, '{"a":']) {
        const response = await fetch(`${server.url}${path}`, {
          method: route.method,
          headers: { ...credential, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body }),
        });
        if (response.status !== 400) return `${response.status} ${await response.text()}`;
        await response.body?.cancel();
      }
      return undefined;
    });
  });

  test('every error has the same format: name, message and code of the catalogue, with the status as the code', async () => {
    await checkRoutes(conventional, async (route) => {
      for (const options of [{}, { token }, { token: unboundToken }, { token, search: `?${unknown}=1` }]) {
        const { status, body } = await send(route, options);
        if (status < 400) continue;
        const codes: readonly number[] = errorCatalogue[body.name as keyof typeof errorCatalogue];
        const declared: readonly string[] = [...route.errors, ...commonErrors];
        if (body.code !== status || !codes.includes(status)) return `${status} ${JSON.stringify(body)}`;
        if (!declared.includes(body.name)) return `${body.name} is not declared`;
        if (!['name,message,code', 'name,message,code,errors'].includes(Object.keys(body).join())) {
          return Object.keys(body).join();
        }
      }
      return undefined;
    });
  });
});

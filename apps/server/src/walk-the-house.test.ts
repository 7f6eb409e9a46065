import { allRoutes, commonErrors, findAccessRule, type RouteDescriptor } from '@redoubt/contract';
import { errorCatalogue } from '@redoubt/errors';
import { sendRequest, createWorkspace, signUp, type TestResponse } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

interface Fault {
  name: string;
  message: string;
  code: number;
}

const unknown = 'no_such_thing';
const none = (faults: readonly string[]): void => deepEqual(faults, []);
/** Those that follow the conventions of this API; the others are OAuth's, and have tests of their own. */
const conventional = allRoutes.filter(({ protocol }) => protocol === undefined);
const needsCredential = allRoutes.filter(({ caller }) => caller !== 'anyone');

/** The keys of a body that is an object. */
const bodyKeys = ({ body }: RouteDescriptor): string[] | undefined =>
  body !== undefined && 'properties' in body ? Object.keys(body.properties as object) : undefined;

/** Walks the routes, and lists those about which `look` has something to say. */
const walk = async (
  all: readonly RouteDescriptor[],
  look: (route: RouteDescriptor) => Promise<string | undefined>,
): Promise<void> => {
  const faults: string[] = [];
  for (const route of all) {
    const fault = await look(route);
    if (fault !== undefined) faults.push(`${route.operationId}: ${fault}`);
  }
  none(faults);
};

/** What is wrong with an answer that has to be a refusal, if anything is. */
const refusal = (answer: TestResponse<Fault>, status: number, mention = ''): string | undefined =>
  answer.status === status && answer.body.message.includes(mention)
    ? undefined
    : `${answer.status} ${answer.body.message}`;

describe('a walk through the house', () => {
  let server: TestServer;
  let token: string;
  let homeless: string;
  let datasetId: string;
  before(async () => {
    server = await startServer();
    const workspace = await createWorkspace(server);
    ({ token } = workspace.admin);
    ({ token: homeless } = await signUp(server));
    const body = { name: 'Any', workspaceId: workspace.id };
    ({ id: datasetId } = (
      await sendRequest<{ id: string }>(server, 'POST', '/datasets', { token, body })
    ).body);
  });
  after(() => server.close());

  /** A path of the route with ids in it, of a dataset where it names one. */
  const pathsOf = ({ path, aliases = [] }: RouteDescriptor): string[] =>
    [path, ...aliases].map((one) =>
      one.replaceAll('{datasetId}', datasetId).replaceAll(/\{\w+\}/g, 'some-id'),
    );
  const send = async (
    route: RouteDescriptor,
    options: { token?: string; search?: string; body?: unknown } = {},
  ): Promise<TestResponse<Fault>> => {
    const [path = ''] = pathsOf(route);
    const { search = '', ...rest } = options;
    return sendRequest<Fault>(server, route.method, `${path}${search}`, rest);
  };
  test('every route of the contract is answered by the server, in every spelling of its path', async () => {
    await walk(allRoutes, async (route) => {
      for (const path of pathsOf(route)) {
        const { status, body } = await sendRequest<Fault>(server, route.method, path, {});
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

  test('every route says who may call it, by which rule, and what it may answer', () => {
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

  test('L34: the routes that need no credential are a fixed list, and none of them tells about data', async () => {
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
      'getOAuthMetadata',
      'getOpenApi',
      'receiveBillingEvent',
      'requestPasswordReset',
      'revokeOAuthToken',
      'signOut',
    ]);
    deepEqual((await sendRequest(server, 'GET', '/health')).body, { status: 'ok' });
    const description = JSON.stringify((await sendRequest(server, 'GET', '/openapi.json')).body);
    for (const text of [datasetId, 'admin1@', 'workspace2']) ok(!description.includes(text), text);
  });

  test('every route that needs a credential is 401 without one and with one that does not hold', async () => {
    await walk(needsCredential, async (route) => {
      const answers = [await send(route), await send(route, { token: 'no.such.token' })];
      return answers.map((answer) => refusal(answer, 401)).find((fault) => fault !== undefined);
    });
  });

  test('every route for members is 403 in a session that is bound to no workspace', async () => {
    const forMembers = allRoutes.filter(({ caller }) => caller === 'member');
    await walk(forMembers, async (route) =>
      refusal(await send(route, { token: homeless }), 403, 'bound to no workspace'),
    );
  });

  test('every route refuses a query parameter that it does not know, by its name', async () => {
    await walk(conventional, async (route) => {
      const credential = route.caller === 'anyone' ? {} : { token };
      return refusal(await send(route, { ...credential, search: `?${unknown}=1` }), 400, unknown);
    });
  });

  test('every route with an object as its body refuses a key that it does not know, by its name', async () => {
    const withBody = conventional.filter((route) => bodyKeys(route) !== undefined);
    ok(withBody.length > 15);
    await walk(withBody, async (route) => {
      const credential = route.caller === 'anyone' ? {} : { token };
      const search = route.query?.properties['isAsync'] === undefined ? '' : '?isAsync=false';
      const body = { ...(bodyKeys(route)?.includes('records') && { records: [] }), [unknown]: 1 };
      return refusal(await send(route, { ...credential, search, body }), 400, unknown);
    });
  });

  test('every route with a body refuses one that is missing, and one that is no JSON', async () => {
    const withBody = conventional.filter(({ body }) => body !== undefined);
    await walk(withBody, async (route) => {
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

  test('every fault has the one shape: name, message and code of the catalogue, the code being the status', async () => {
    await walk(conventional, async (route) => {
      for (const options of [{}, { token }, { token: homeless }, { token, search: `?${unknown}=1` }]) {
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

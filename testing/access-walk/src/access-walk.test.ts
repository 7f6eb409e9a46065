/* Shows: D-admin-rest, A-access-walk, A-access-workspaces, A-access-fields, A-access-standing */
import { allRoutes, actorKinds, type OperationId, type RouteDescriptor } from '@redoubt/contract';
import { createSender } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { WireResponse, Request, Send } from '@redoubt/testkit/requests';
import { buildAccessFixture, from, type AccessFixture, type TestActor } from './access-fixture.ts';
import { accessTable } from './access-table.ts';
import { expectedFrom } from './expected.ts';
import { callerNames, parseAccessTable } from './parse-access-table.ts';
import type { ProbeRequest, Probe, Target } from './probe.ts';
import { probes } from './probes.ts';

const page = readFileSync(
  join(import.meta.dirname, '../../../apps/docs/docs/reference/access-rules.md'),
  'utf8',
);

const requestOf = (
  { method, path, list }: RouteDescriptor,
  { params = {}, search, body, headers }: ProbeRequest,
): Request => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return {
    method,
    path: `${filled}${search ?? (list === undefined ? '' : '?$limit=-1')}`,
    ...(body === undefined ? {} : { body }),
    ...(headers === undefined ? {} : { headers: { ...headers } }),
  };
};

const probeRequestFor = async ({ request }: Target, caller: TestActor): Promise<ProbeRequest> =>
  typeof request === 'function' ? request(caller) : request;

/** Whether a response means that the call changed something, so that the walk must create the object again. */
const changes = ({ method }: RouteDescriptor, { status }: WireResponse): boolean =>
  method !== 'GET' && status < 300;

const isListed = ({ body }: WireResponse, id: string): boolean =>
  (JSON.parse(body) as { data: { id: string }[] }).data.some((one) => one.id === id);

const expected = parseAccessTable(accessTable);

/** Describes how a response differs from the table; undefined if it does not. */
const describeDifference = (
  route: RouteDescriptor,
  probe: Probe,
  target: Target,
  caller: string,
  response: WireResponse,
): string | undefined => {
  const wanted = expected.get(route.operationId)?.get(caller);
  const { status, body } = response;
  if (wanted !== 'works' && wanted !== 'works without the object') {
    return String(status) === wanted
      ? undefined
      : `${caller}: ${wanted} in the table, ${status} ${body.slice(0, 200)}`;
  }
  const works = status === route.success.status || (probe.letThrough ?? []).includes(status);
  if (!works) return `${caller}: ${wanted}, ${status} ${body.slice(0, 200)}`;
  const isShown = target.listed === undefined || isListed(response, target.listed);
  if (isShown === (wanted === 'works')) return undefined;
  return `${caller}: ${isShown ? 'finds' : 'does not find'} it in the list`;
};

describe('the access table', () => {
  test('every call has a line in the table', () => {
    deepEqual([...expected.keys()].toSorted(), allRoutes.map(({ operationId }) => operationId).toSorted());
  });

  test('a line without a letter for each caller, with an unknown letter or of a repeated call is rejected', () => {
    const line = 'getMe 1yy yyy yyyyyyyyy yy yyyy yy yyy';
    equal(parseAccessTable(line).get('getMe')?.get('nobody'), '401');
    throws(() => parseAccessTable(line.slice(0, -1)), /The line of getMe must have groups/);
    throws(() => parseAccessTable(line.replace('1', '2')), /getMe for nobody must be .* got "2"/);
    throws(() => parseAccessTable(`${line}\n${line}`), /getMe must have one line/);
  });

  test('the page of access rules says the same as the table', () => {
    const published = expectedFrom(page);
    deepEqual(
      callerNames.filter((caller) => caller !== 'foreigner').toSorted(),
      actorKinds.map(({ name }) => name).toSorted(),
    );
    const problems: string[] = [];
    for (const [call, outcomes] of expected) {
      for (const { name } of actorKinds) {
        const outcome = outcomes.get(name);
        const found = published.get(call)?.get(name);
        // A list about a hidden object is empty, which the page calls 404.
        const isEmptyList = outcome === 'works without the object' && found === '404';
        const isWorking = outcome?.startsWith('works') === true && found === 'yes';
        if (!isEmptyList && !isWorking && found !== outcome)
          problems.push(`${call} for ${name}: ${outcome} in the table, ${found} on the page`);
      }
    }
    deepEqual(problems, []);
  });
});

describe('every kind of requester makes every call', () => {
  let server: TestServer;
  let fixture: AccessFixture;
  let send: Send;
  before(async () => {
    server = await startServer();
    send = createSender(server);
    fixture = await buildAccessFixture(send);
  });
  after(() => server.close());

  const walk = async (route: RouteDescriptor, callers: readonly TestActor[]): Promise<string[]> => {
    const probe = probes[route.operationId as OperationId];
    const problems: string[] = [];
    let target: Target | undefined;
    for (const inhabitant of callers) {
      if (probe.without?.includes(inhabitant.name) === true) continue;
      target ??= await probe.make(fixture, send);
      const caller = target.instead?.[inhabitant.name] ?? inhabitant;
      const response = await send(from(caller, requestOf(route, await probeRequestFor(target, caller))));
      const found = describeDifference(route, probe, target, inhabitant.name, response);
      if (found !== undefined) problems.push(found);
      if (changes(route, response)) target = undefined;
    }
    await server.jobsSettled();
    return problems;
  };

  test('the table has a column for every requester', () => {
    deepEqual(fixture.inhabitants.map(({ name }) => name).toSorted(), callerNames.toSorted());
  });

  // `deleteWorkspace` deletes the workspace of the fixture, so it has its own test, which is the last one.
  const routes = allRoutes.filter(({ operationId }) => operationId !== 'deleteWorkspace');
  for (const route of routes) {
    test(`everybody calls ${route.operationId}`, async () => {
      deepEqual(await walk(route, fixture.inhabitants), []);
    });
  }

  /** The fields with identity, workspace or payment that these calls accept by design. */
  const taken: Partial<Record<OperationId, readonly string[]>> = {
    createUser: ['role'],
    createInvitation: ['role'],
    updateUser: ['role'],
    createWorkspacePermissionAssignment: ['userId'],
    createAttributeAssignment: ['userId'],
    patchAttributeAssignment: ['userId'],
    createGroupMembership: ['role', 'userId'],
    patchGroupMembership: ['role'],
  };

  test('no call takes role, userId, workspaceId, subscription or stripeLatestCharge from a body that has no business with them', async () => {
    const planted = {
      role: 'admin',
      userId: fixture.starter.id,
      workspaceId: fixture.elsewhere.id,
      subscription: { status: 'active' },
      stripeLatestCharge: { id: 'ch_1', status: 'succeeded' },
    };
    const problems: string[] = [];
    for (const route of routes) {
      if (route.body === undefined || !('properties' in route.body) || route.bodyType !== undefined) continue;
      const operation = route.operationId as OperationId;
      const caller = operation === 'acceptInvitation' ? fixture.self : fixture.admin;
      const target = await probes[operation].make(fixture, send);
      for (const [field, value] of Object.entries(planted)) {
        if (taken[operation]?.includes(field) === true) continue;
        const valid = await probeRequestFor(target, caller);
        const body = { ...(valid.body as object), [field]: value };
        const response = await send(from(caller, requestOf(route, { ...valid, body })));
        if (response.status < 400 || response.status >= 500) {
          problems.push(`${operation}.${field}: ${response.status} ${response.body.slice(0, 200)}`);
        }
      }
    }
    await server.jobsSettled();
    deepEqual(problems, []);
  });

  test('only an admin can give a role, and nobody can give themselves one', async () => {
    const { self, admin, inhabitants, workspace } = fixture;
    const manager = inhabitants.find(({ name }) => name === 'manage-users');
    ok(manager !== undefined);
    const member = inhabitants.find(({ name }) => name === 'member');
    ok(member !== undefined);
    const raise = (caller: TestActor, id: string): Promise<WireResponse> =>
      send(from(caller, { method: 'PATCH', path: `/users/${id}`, body: { role: 'admin' } }));
    for (const [caller, id] of [
      [self, self.id],
      [manager, manager.id],
      [manager, self.id],
      [member, self.id],
      [manager, admin.id],
    ] as const) {
      equal((await raise(caller, id)).status, 403, `${caller.name} ${id}`);
    }
    const body = {
      email: 'raised@example.org',
      firstName: 'R',
      lastName: 'R',
      password: 'a long password',
      workspaceId: workspace.id,
      role: 'admin',
    };
    equal((await send(from(manager, { method: 'POST', path: '/users', body }))).status, 403);
    equal((await send(from({ token: '' }, { method: 'POST', path: '/users', body }))).status, 403);
  });

  test('everybody calls deleteWorkspace', async () => {
    const route = allRoutes.find(({ operationId }) => operationId === 'deleteWorkspace');
    ok(route !== undefined);
    const others = fixture.inhabitants.filter(({ name }) => name !== 'admin');
    deepEqual(await walk(route, [...others, fixture.admin]), []);
    equal((await send({ method: 'GET', path: '/me', token: fixture.self.token })).status, 401);
  });
});

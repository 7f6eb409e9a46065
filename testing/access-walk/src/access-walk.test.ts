import {
  allRoutes,
  findAccessRule,
  actorKinds,
  type OperationId,
  type ActorClass,
  type RouteDescriptor,
} from '@redoubt/contract';
import { createSender } from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Answer, Request, Send } from '@redoubt/testkit/requests';
import { expectedFrom } from './expected.ts';
import { buildAccessFixture, from, type AccessFixture, type TestActor } from './access-fixture.ts';
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

const askedOf = async ({ ask }: Target, caller: TestActor): Promise<ProbeRequest> =>
  typeof ask === 'function' ? ask(caller) : ask;

/** Whether a response shows a change. The object of the call is created again only after a change. */
const changes = ({ method }: RouteDescriptor, { status }: Answer): boolean =>
  method !== 'GET' && status < 300;

const isListed = ({ body }: Answer, id: string): boolean =>
  (JSON.parse(body) as { data: { id: string }[] }).data.some((one) => one.id === id);

/** Whether the object of the call is visible to this kind of caller, by the access rules of the contract. */
const finds = (operation: string, caller: string): boolean => {
  const powers = actorKinds.find(({ name }) => name === caller)?.classes ?? new Set<ActorClass>();
  const { sees } = findAccessRule(operation) ?? {};
  return sees === undefined || sees.some((power) => powers.has(power));
};

describe('the walk of everybody through every call', () => {
  let server: TestServer;
  let house: AccessFixture;
  let ask: Send;
  before(async () => {
    server = await startServer();
    ask = createSender(server);
    house = await buildAccessFixture(ask);
  });
  after(() => server.close());

  const expected = expectedFrom(page);

  /** Describes the difference between the response and the page, or returns undefined if there is none. */
  const fault = (
    route: RouteDescriptor,
    probe: Probe,
    target: Target,
    caller: string,
    answer: Answer,
  ): string | undefined => {
    const wanted = expected.get(route.operationId)?.get(caller);
    const { status } = answer;
    const works = status === route.success.status || (probe.letThrough ?? []).includes(status);
    // A list about a hidden object is empty.
    const isEmptyList = wanted === '404' && route.list !== undefined && status === 200;
    if (!isEmptyList && (wanted === 'yes' ? !works : String(status) !== wanted)) {
      return `${caller}: ${wanted} on the page, ${status} ${answer.body.slice(0, 200)}`;
    }
    if (target.listed === undefined || status !== 200) return undefined;
    const [shown, right] = [isListed(answer, target.listed), finds(route.operationId, caller)];
    return shown === right ? undefined : `${caller}: ${right ? 'does not find' : 'finds'} it in the list`;
  };

  const walk = async (route: RouteDescriptor, callers: readonly TestActor[]): Promise<string[]> => {
    const probe = probes[route.operationId as OperationId];
    const faults: string[] = [];
    let target: Target | undefined;
    for (const inhabitant of callers) {
      if (probe.without?.includes(inhabitant.name) === true) continue;
      target ??= await probe.make(house, ask);
      const caller = target.instead?.[inhabitant.name] ?? inhabitant;
      const answer = await ask(from(caller, requestOf(route, await askedOf(target, caller))));
      const found = fault(route, probe, target, inhabitant.name, answer);
      if (found !== undefined) faults.push(found);
      if (changes(route, answer)) target = undefined;
    }
    await server.jobsSettled();
    return faults;
  };

  test('the page has a response for every actor and every call', () => {
    const callers = actorKinds.map(({ name }) => name);
    deepEqual(house.inhabitants.map(({ name }) => name).toSorted(), callers.toSorted());
    for (const { operationId } of allRoutes) ok(expected.has(operationId), operationId);
  });

  // This call deletes the workspace, so it runs last, and the caller who may make it comes last.
  const routes = allRoutes.filter(({ operationId }) => operationId !== 'deleteWorkspace');
  for (const route of routes) {
    test(`everybody calls ${route.operationId}`, async () => {
      deepEqual(await walk(route, house.inhabitants), []);
    });
  }

  test('objects of a workspace do not exist for the admin of another', async () => {
    const faults: string[] = [];
    for (const route of routes) {
      const { sees } = findAccessRule(route.operationId) ?? {};
      if (sees === undefined) continue;
      const target = await probes[route.operationId as OperationId].make(house, ask);
      const caller = house.foreigner;
      const answer = await ask(from(caller, requestOf(route, await askedOf(target, caller))));
      if (
        route.list === undefined
          ? answer.status !== 404
          : target.listed !== undefined && isListed(answer, target.listed)
      ) {
        faults.push(`${route.operationId}: ${answer.status} ${answer.body.slice(0, 200)}`);
      }
    }
    deepEqual(faults, []);
  });

  /** Fields for identity, workspace and payment. Each call has its own rules about which of them it accepts. */
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
      userId: house.starter.id,
      workspaceId: house.elsewhere.id,
      subscription: { status: 'active' },
      stripeLatestCharge: { id: 'ch_1', status: 'succeeded' },
    };
    const faults: string[] = [];
    for (const route of routes) {
      if (route.body === undefined || !('properties' in route.body) || route.bodyType !== undefined) continue;
      const operation = route.operationId as OperationId;
      const caller = operation === 'acceptInvitation' ? house.self : house.admin;
      const target = await probes[operation].make(house, ask);
      for (const [field, value] of Object.entries(planted)) {
        if (taken[operation]?.includes(field) === true) continue;
        const asked = await askedOf(target, caller);
        const body = { ...(asked.body as object), [field]: value };
        const answer = await ask(from(caller, requestOf(route, { ...asked, body })));
        if (answer.status < 400 || answer.status >= 500) {
          faults.push(`${operation}.${field}: ${answer.status} ${answer.body.slice(0, 200)}`);
        }
      }
    }
    await server.jobsSettled();
    deepEqual(faults, []);
  });

  test('only an admin can give a role, and nobody can give themselves one', async () => {
    const { self, admin, inhabitants, workspace } = house;
    const manager = inhabitants.find(({ name }) => name === 'manage-users');
    ok(manager !== undefined);
    const member = inhabitants.find(({ name }) => name === 'member');
    ok(member !== undefined);
    const raise = (caller: TestActor, id: string): Promise<Answer> =>
      ask(from(caller, { method: 'PATCH', path: `/users/${id}`, body: { role: 'admin' } }));
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
    equal((await ask(from(manager, { method: 'POST', path: '/users', body }))).status, 403);
    equal((await ask(from({ token: '' }, { method: 'POST', path: '/users', body }))).status, 403);
  });

  test('everybody calls deleteWorkspace', async () => {
    const route = allRoutes.find(({ operationId }) => operationId === 'deleteWorkspace');
    ok(route !== undefined);
    const others = house.inhabitants.filter(({ name }) => name !== 'admin');
    deepEqual(await walk(route, [...others, house.admin]), []);
    equal((await ask({ method: 'GET', path: '/me', token: house.self.token })).status, 401);
  });
});

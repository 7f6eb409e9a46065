/* Shows: F-POST-/users-email, F-POST-/users-firstName, F-POST-/users-lastName, F-POST-/users-password,
   E-Invitation-id, F-POST-/workspaces-name, K-page-size, K-no-limit, K-max-password, D-new-workspace-empty,
   D-list-fields, E-User-id, E-User-firstName, E-User-lastName, E-Workspace-name, E-Dataset-id,
   E-Dataset-name, E-Dataset-description, E-DatasetPermission-id, E-Group-id, E-Group-name,
   E-GroupMembership-id, E-Attribute-id, E-Attribute-name, E-Attribute-description, E-AttributeAssignment-id,
   R-error-fields, R-status-create, L31, L-hazard-unlimited-lists, R-list-answer, R-list-total, R-list-limit,
   R-list-limit-all, R-list-limit-default, R-list-limit-wrong, R-list-skip, R-list-sort, R-list-sort-wrong,
   R-list-filter-equal, R-list-filter-ne, R-list-filter-range, R-list-filter-in, R-list-filter-or,
   R-list-filter-unknown, R-list-order-stable, R-grant-to-groups, R-required-workspace, R-required-attribute,
   R-required-attribute-assignment, R-required-dataset, R-required-dataset-permission, R-required-group,
   R-required-group-membership, R-required-user, W-datasets-uuid */
import { allRoutes, permissionCodes, type Attribute, type RouteDescriptor } from '@redoubt/contract';
import {
  addMember,
  sendRequest,
  createWorkspace,
  signUp,
  type TestPerson,
  type TestWorkspace,
} from '@redoubt/testkit';
import { startServer, type TestServer } from '@redoubt/server/testing';
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

interface Page {
  total: number;
  limit: number;
  skip: number;
  data: Record<string, unknown>[];
}
interface ErrorBody {
  name: string;
  message: string;
  errors?: { field: string }[];
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Every list, with a valid path: some need a dataset, and jobs need a dataset or a person. */
/** The lists of a workspace. Lists of one object, such as the runs of a schedule, have tests of their own. */
const lists = allRoutes
  .filter(({ list, path }) => list !== undefined && !path.includes('{'))
  .map((route) => ({
    ...route,
    path:
      route.query?.required?.includes('datasetId') || route.path === '/jobs'
        ? `${route.path}?datasetId=no-such-dataset`
        : route.path,
  }));
/** Appends a query string to a path. */
const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** The tokens by name in this direction, and by token in the other one. */
const byNameThenToken = (attributes: readonly Attribute[], direction: 1 | -1): string[] =>
  attributes
    .toSorted(
      (a, b) => direction * a.name.localeCompare(b.name) || -direction * a.token.localeCompare(b.token),
    )
    .map((attribute) => attribute.token);

describe('every list and every entity', () => {
  let server: TestServer;
  let workspace: TestWorkspace;
  let token: string;
  let member: TestPerson;
  const attributes: Attribute[] = [];
  let count = 0;

  const post = async (path: string, body: object, expected = 201): Promise<Record<string, unknown>> => {
    const response = await sendRequest(server, 'POST', path, { token, body });
    equal(response.status, expected, `${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const get = async (path: string): Promise<Page> => {
    const { status, body } = await sendRequest<Page>(server, 'GET', path, { token });
    equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
  /** Request bodies with which the admin creates one object of each kind. */
  const bodies = async (): Promise<[path: string, body: Record<string, unknown>][]> => {
    count += 1;
    const { id: groupId } = await post('/groups', { name: `Group ${count}`, workspaceId: workspace.id });
    const { id: datasetId } = await post('/datasets', { name: 'Dataset', workspaceId: workspace.id });
    const person = await addMember(server, workspace);
    return [
      [
        '/users',
        { email: `made${count}@example.org`, firstName: 'A', lastName: 'B', password: 'long enough' },
      ],
      ['/attributes', { name: 'Made', token: `MADE-${count}` }],
      ['/attribute-assignments', { attributeId: attributes[0]?.id, userId: person.id }],
      ['/groups', { name: `Made ${count}`, workspaceId: workspace.id }],
      ['/group-memberships', { groupId, userId: person.id, role: 'member' }],
      ['/datasets', { name: 'Made', workspaceId: workspace.id }],
      ['/dataset-permissions', { action: 'read', datasetId, groupId }],
    ];
  };

  before(async () => {
    server = await startServer();
    workspace = await createWorkspace(server);
    ({ token } = workspace.admin);
    member = await addMember(server, workspace);
    for (let n = 1; n <= 12; n += 1) {
      const body = {
        name: `Name ${n % 3}`,
        token: `T${String(n).padStart(2, '0')}`,
        description: n > 6 ? 'late' : '',
      };
      attributes.push((await post('/attributes', body)) as unknown as Attribute);
    }
  });
  after(() => server.close());

  const tokens = async (query: string): Promise<unknown[]> =>
    (await get(`/attributes?$limit=-1&${query}`)).data.map((each) => each['token']);
  const upTo = (first: number, last: number): string[] =>
    attributes.slice(first - 1, last).map((attribute) => attribute.token);

  const expectPages = async ({ path }: Pick<RouteDescriptor, 'path'>): Promise<void> => {
    for (const [query, limit, skip] of [
      ['', 10, 0],
      ['$limit=3&$skip=1', 3, 1],
      ['$limit=0', 0, 0],
    ] as const) {
      const page = await get(withQuery(path, query));
      deepEqual(Object.keys(page), ['total', 'limit', 'skip', 'data'], path);
      deepEqual([page.limit, page.skip], [limit, skip], path);
      equal(page.data.length, Math.min(limit, Math.max(0, page.total - skip)), path);
    }
    const all = await get(withQuery(path, '$limit=-1'));
    equal(all.data.length, all.total, path);
  };

  test('every list returns total, limit, skip and data, with the requested page', async () => {
    ok(lists.length >= 9);
    for (const route of lists) await expectPages(route);
  });

  test('a page has ten entries unless $limit says otherwise, and $limit=-1 returns all', async () => {
    for (const [query, length] of [
      ['', 10],
      ['?$limit=11', 11],
      ['?$limit=-1', 12],
      ['?$skip=9', 3],
      ['?$skip=12', 0],
    ] as const) {
      const { total, data } = await get(`/attributes${query}`);
      deepEqual([total, data.length], [12, length], query);
    }
  });

  test('in every list, anything unknown or invalid in the query string is 400 naming it', async () => {
    for (const [query, name] of [
      ['$limit=-2', '$limit'],
      ['$limit=ten', '$limit'],
      ['$limit=1.5', '$limit'],
      ['$skip=-1', '$skip'],
      ['$skip=1.5', '$skip'],
      ['$sort[no_such]=1', 'no_such'],
      ['$sort[id]=2', '$sort[id]'],
      ['$sort[id]=asc', '$sort[id]'],
      ['no_such=1', 'no_such'],
      ['id[$like]=1', '$like'],
      ['$or[0][no_such]=1', 'no_such'],
      ['$select=id', '$select'],
    ] as const) {
      for (const { path } of lists) {
        const { status, body } = await sendRequest<ErrorBody>(server, 'GET', withQuery(path, query), {
          token,
        });
        deepEqual([status, body.name], [400, 'BadRequestError'], `${path}?${query}`);
        ok(body.message.includes(name), `${path}?${query}: ${body.message}`);
      }
    }
    const { body } = await sendRequest<ErrorBody>(server, 'GET', '/attributes?$limit=-2', { token });
    match(body.message, /"-2"/);
  });

  test('every filter operator selects the right entries', async () => {
    const sorted = '&$sort[token]=1';
    for (const [query, expected] of [
      ['token=T05', ['T05']],
      ['description=late', upTo(7, 12)],
      ['description[$ne]=late', upTo(1, 6)],
      ['token[$lt]=T03', upTo(1, 2)],
      ['token[$lte]=T03', upTo(1, 3)],
      ['token[$gt]=T10', upTo(11, 12)],
      ['token[$gte]=T10', upTo(10, 12)],
      ['token[$gt]=T03&token[$lt]=T06', upTo(4, 5)],
      ['token[$in]=T01&token[$in]=T12&token[$in]=none', ['T01', 'T12']],
      ['token[$in]=T07', ['T07']],
      ['description=&token[$nin]=T01&token[$nin]=T02', upTo(3, 6)],
      ['$or[0][token]=T02&$or[1][token]=T11', ['T02', 'T11']],
      ['$or[0][token][$lt]=T03&$or[1][token]=T11&description=late', ['T11']],
      ['token=T05&description=late', []],
    ] as const) {
      deepEqual(await tokens(query + sorted), expected, query);
    }
  });

  test('several sort keys apply in the order given', async () => {
    deepEqual(await tokens('$sort[name]=1&$sort[token]=-1'), byNameThenToken(attributes, 1));
    deepEqual(await tokens('$sort[name]=-1&$sort[token]=1'), byNameThenToken(attributes, -1));
    deepEqual(await tokens('$sort[token]=1&$sort[name]=-1'), upTo(1, 12));
  });

  test('pages of an unsorted list neither repeat nor lose entries', async () => {
    const whole = await tokens('');
    deepEqual(new Set(whole), new Set(upTo(1, 12)));
    const paged: unknown[] = [];
    for (let skip = 0; skip < 12; skip += 5) {
      const { data } = await get(`/attributes?$limit=5&$skip=${skip}`);
      paged.push(...data.map((each) => each['token']));
    }
    deepEqual(paged, whole);
  });

  test('ids that the server assigns are UUIDs', async () => {
    const made = [];
    for (const [path, body] of await bodies()) made.push((await post(path, body))['id']);
    made.push((await post('/users', { ...person(), email: (await signUp(server)).email }))['id']);
    made.push(workspace.uniqueId);
    equal(new Set(made).size, 9);
    for (const id of made) match(String(id), uuid);
  });

  const person = () => ({
    email: `person-made${++count}@example.org`,
    firstName: 'A',
    lastName: 'B',
    password: 'long enough',
  });

  test('a create without a required field is 400 that names the field', async () => {
    const optional = new Set(['/group-memberships userId']);
    const all: [string, Record<string, unknown>][] = [...(await bodies()), ['/workspaces', { name: 'Name' }]];
    for (const [path, body] of all) {
      for (const field of Object.keys(body)) {
        const { [field]: _left, ...rest } = body;
        const { message, errors } = (await post(path, rest, 400)) as unknown as ErrorBody;
        if (optional.has(`${path} ${field}`)) continue;
        deepEqual(
          errors?.map((problem) => problem.field),
          [field],
          `${path}: ${message}`,
        );
        ok(message.startsWith(`${field} must `), message);
      }
    }
  });

  test('a name is a non-blank text of up to 200 characters, and is returned as sent', async () => {
    const named: [path: string, body: object, field: string][] = [
      ['/users', person(), 'firstName'],
      ['/users', person(), 'lastName'],
      ['/workspaces', {}, 'name'],
      ['/attributes', { token: 'NAMED' }, 'name'],
      ['/groups', { workspaceId: workspace.id }, 'name'],
      ['/datasets', { workspaceId: workspace.id }, 'name'],
    ];
    for (const [path, body, field] of named) {
      for (const wrong of ['', ' ', '\t\n', 'x'.repeat(201), null, 7, ['x']]) {
        const { message } = (await post(path, { ...body, [field]: wrong }, 400)) as unknown as ErrorBody;
        ok(message.startsWith(`${field} must `), `${path}: ${message}`);
      }
      if (path === '/workspaces') continue;
      for (const right of ['x'.repeat(200), ` Zoë "日本" ${field}\u{1f600} `]) {
        const unique =
          path === '/users' ? person() : path === '/attributes' ? { token: `NAMED-${++count}` } : {};
        equal((await post(path, { ...body, ...unique, [field]: right }))[field], right);
      }
    }
  });

  test('a description is empty by default, and has at most 4,000 characters', async () => {
    for (const path of ['/attributes', '/datasets']) {
      const body = () => ({
        name: 'Described',
        ...(path === '/attributes' ? { token: `SAID-${++count}` } : { workspaceId: workspace.id }),
      });
      equal((await post(path, body()))['description'], '');
      const longest = 'é'.repeat(4000);
      equal((await post(path, { ...body(), description: longest }))['description'], longest);
      const { message } = (await post(
        path,
        { ...body(), description: `${longest}x` },
        400,
      )) as unknown as ErrorBody;
      match(message, /^description must be at most 4000 characters long/);
    }
  });

  test('a password has 8 to 200 characters', async () => {
    for (const [length, status] of [
      [7, 400],
      [8, 201],
      [200, 201],
      [201, 400],
    ] as const) {
      await post('/users', { ...person(), password: 'p'.repeat(length) }, status);
    }
  });

  test('a new workspace contains only its creator', async () => {
    const there: Readonly<Record<string, number>> = {
      '/users': 1,
      '/workspaces': 1,
      '/sessions': 1,
      '/audit-log-configs': 1,
      '/workspace-permissions': permissionCodes.length,
      '/abac-label-parsers': 4,
    };
    const { admin } = await createWorkspace(server);
    for (const { path } of lists) {
      const { body } = await sendRequest<Page>(server, 'GET', path, { token: admin.token });
      equal(body.total, there[path] ?? 0, path);
    }
  });

  test('a filter by workspaceId finds nothing of another workspace, whether it exists or not', async () => {
    const elsewhere = await createWorkspace(server);
    for (const requester of [token, member.token]) {
      for (const path of [
        '/users',
        '/attributes',
        '/attribute-assignments',
        '/groups',
        '/group-memberships',
        '/datasets',
      ]) {
        for (const id of [elsewhere.id, 'no-such-workspace']) {
          const response = await sendRequest<Page>(server, 'GET', `${path}?workspaceId=${id}`, {
            token: requester,
          });
          deepEqual([response.status, response.body.total], [200, 0], path);
        }
      }
    }
  });
});

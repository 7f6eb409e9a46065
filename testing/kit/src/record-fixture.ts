import type { Attribute, Dataset, Group } from '@redoubt/contract';
import assert from 'node:assert/strict';
import { sendRequest, type SendOptions } from './send-request.ts';
import { addMember, createWorkspace, type TestPerson, type TestWorkspace } from './people.ts';

/** A response as it was received. */
export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** The fields of responses about records, including those of errors. */
export interface RecordResponse {
  workspace: string;
  datasetId: string;
  partitions: number[];
  recordsReplaced: number;
  recordsDropped: number;
  records: Record<string, unknown>[];
  schema: Record<string, { type: string }>;
  lastRecordId: string | null;
  more: boolean;
  total: number;
  name: string;
  message: string;
  errors: { field: string; message: string }[];
}

/** Returns the body of a response, which must have the expected status. */
export const bodyOf = (status: number, response: RawResponse): RecordResponse => {
  assert.equal(response.status, status, response.text);
  return JSON.parse(response.text) as RecordResponse;
};

/** How the records of a write get their labels. */
type LabelInfo = Record<string, unknown> | null;

/** The fixture of record tests: a workspace whose readers are in one group. */
export interface RecordFixture {
  workspace: TestWorkspace;
  /** The token of the admin of the workspace, who has no attributes. */
  admin: string;
  readers: Group;
  /** Sends a request, and fails for any other than the expected status. Without a token, the admin sends it. */
  call<T>(
    status: number,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    options?: SendOptions,
  ): Promise<T>;
  /** Sends exactly these bytes by POST. */
  post(path: string, body: string | Uint8Array, options?: Omit<SendOptions, 'body'>): Promise<RawResponse>;
  /** The token of a member of the group with these attributes. The same attributes give the same person. */
  reader(...attributes: string[]): Promise<string>;
  /** Creates a new member of the group with these attributes. */
  newReader(...attributes: string[]): Promise<TestPerson>;
  /** Assigns an attribute, and creates it if it is missing. Returns the id of the assignment. */
  assign(userId: string, token: string): Promise<string>;
  /** Creates a dataset with these permissions for the group. Returns its id. */
  dataset(
    actions?: readonly ('read' | 'write' | 'manage')[],
    fields?: Record<string, unknown>,
  ): Promise<string>;
  /** Writes records, or the JSON text of their array. Uses v2 if there is label info. */
  write(
    datasetId: string,
    records: readonly unknown[] | string,
    options?: { labelInfo?: LabelInfo; token?: string },
  ): Promise<RawResponse>;
}

/** Takes the label of each record from its field `label`. Every reader sees records without one. */
export const labelField = {
  parserClassName: 'identity-parser',
  fields: ['label'],
  labelHandlingPolicy: 'ignore',
} as const;

/**
 * Creates a workspace with a group of readers on a running server.
 *
 * @example
 * const fixture = await createRecordFixture(server);
 * const datasetId = await fixture.dataset();
 * await fixture.write(datasetId, [{ n: 1, label: 'A' }], { labelInfo: labelField });
 */
export const createRecordFixture = async (server: { url: string }): Promise<RecordFixture> => {
  const workspace = await createWorkspace(server);
  const admin = workspace.admin.token;
  const known = new Map<string, Promise<TestPerson>>();
  let datasets = 0;

  const call: RecordFixture['call'] = async <T>(
    expected: number,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    options: SendOptions = {},
  ): Promise<T> => {
    const { status, body } = await sendRequest<T>(server, method, path, { token: admin, ...options });
    if (status === expected) return body;
    throw new Error(`${method} ${path} answered ${status}, not ${expected}: ${JSON.stringify(body)}`);
  };

  const readers = await call<Group>(201, 'POST', '/groups', {
    body: { name: 'Readers', workspaceId: workspace.id },
  });

  const attributeId = async (token: string): Promise<string> => {
    const path = `/attributes?token=${encodeURIComponent(token)}`;
    const { data } = await call<{ data: Attribute[] }>(200, 'GET', path);
    const [found] = data;
    if (found !== undefined) return found.id;
    return (await call<Attribute>(201, 'POST', '/attributes', { body: { name: token, token } })).id;
  };

  const assign = async (userId: string, token: string): Promise<string> => {
    const body = { attributeId: await attributeId(token), userId };
    return (await call<{ id: string }>(201, 'POST', '/attribute-assignments', { body })).id;
  };

  const newReader = async (...attributes: string[]): Promise<TestPerson> => {
    const person = await addMember(server, workspace);
    const body = { groupId: readers.id, userId: person.id, role: 'member' };
    await call(201, 'POST', '/group-memberships', { body });
    for (const token of attributes) await assign(person.id, token);
    return person;
  };

  const post: RecordFixture['post'] = async (path, body, { token = admin, headers = {} } = {}) => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : Uint8Array.from(body),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  return {
    workspace,
    admin,
    readers,
    call,
    post,
    newReader,
    assign,
    reader: async (...attributes) => {
      const key = attributes.toSorted().join(' ');
      const person = known.get(key) ?? newReader(...attributes);
      known.set(key, person);
      return (await person).token;
    },
    dataset: async (actions = ['read', 'write'], fields = {}) => {
      datasets += 1;
      const body = { name: `Dataset ${datasets}`, workspaceId: workspace.id, ...fields };
      const { id: datasetId } = await call<Dataset>(201, 'POST', '/datasets', { body });
      for (const action of actions) {
        await call(201, 'POST', '/dataset-permissions', { body: { action, datasetId, groupId: readers.id } });
      }
      return datasetId;
    },
    write: async (datasetId, records, { labelInfo, token = admin } = {}) => {
      const list = typeof records === 'string' ? records : JSON.stringify(records);
      const response =
        labelInfo === undefined
          ? await post(`/write/${datasetId}?isAsync=false`, list, { token })
          : await post(
              `/v2/write/${datasetId}?isAsync=false`,
              `{"records":${list},"securityLabelInfo":${JSON.stringify(labelInfo)}}`,
              { token },
            );
      return response;
    },
  };
};

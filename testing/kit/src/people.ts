import { sendRequest, type SendOptions } from './send-request.ts';

/** A person with an account and a session. */
export interface TestPerson {
  id: string;
  email: string;
  password: string;
  /** The access token of their session. */
  token: string;
}

/** A workspace that a test has created. */
export interface TestWorkspace {
  /** The slug. */
  id: string;
  uniqueId: string;
  /** Its creator, signed in to it. */
  admin: TestPerson;
}

type Server = { url: string };

const made = new WeakMap<Server, number>();

/** Returns `name1`, `name2`, …, so two servers that create the same objects in the same order get the same names. */
const next = (server: Server, name: string): string => {
  const count = (made.get(server) ?? 0) + 1;
  made.set(server, count);
  return `${name}${count}`;
};

const expectOk = async <T>(
  server: Server,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  options: SendOptions,
): Promise<T> => {
  const { status, body } = await sendRequest<T>(server, method, path, options);
  if (status < 300) return body;
  throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
};

const newPerson = (server: Server, name: string) => {
  const unique = next(server, name);
  return {
    email: `${unique}@example.org`,
    firstName: unique.charAt(0).toUpperCase() + unique.slice(1),
    lastName: 'Example',
    password: `password of ${unique}`,
  };
};

/** Signs in. The session is bound to `workspaceId`, or to the only workspace, or to none. */
export const signIn = async (
  server: Server,
  { email, password }: Pick<TestPerson, 'email' | 'password'>,
  workspaceId?: string,
): Promise<string> => {
  const body = { strategy: 'local', email, password, ...(workspaceId === undefined ? {} : { workspaceId }) };
  const result = await expectOk<{ accessToken: string }>(server, 'POST', '/authentication', { body });
  return result.accessToken;
};

/** A new account without a workspace, signed in. */
export const signUp = async (server: Server, name = 'person'): Promise<TestPerson> => {
  const { email, password, ...names } = newPerson(server, name);
  const { id } = await expectOk<{ id: string }>(server, 'POST', '/users', {
    body: { email, password, ...names },
  });
  return { id, email, password, token: await signIn(server, { email, password }) };
};

/** A new workspace with a new account as its admin, whose session is bound to it. */
export const createWorkspace = async (server: Server, name = 'workspace'): Promise<TestWorkspace> => {
  const admin = await signUp(server, 'admin');
  const slug = next(server, name);
  const { id, uniqueId } = await expectOk<{ id: string; uniqueId: string }>(server, 'POST', '/workspaces', {
    token: admin.token,
    body: { name: slug, id: slug },
  });
  return { id, uniqueId, admin };
};

/** Replaces the password that an admin chose for a person, who may then join other workspaces. */
export const chooseOwnPassword = async (server: Server, person: TestPerson): Promise<TestPerson> => {
  const password = `own ${person.password}`;
  await expectOk(server, 'PATCH', `/users/${person.id}`, {
    token: person.token,
    body: { currentPassword: person.password, password },
  });
  return { ...person, password };
};

/** A new account in the workspace, signed in to it. */
export const addMember = async (
  server: Server,
  workspace: TestWorkspace,
  role: 'member' | 'admin' = 'member',
  name: string = role,
): Promise<TestPerson> => {
  const { email, password, ...names } = newPerson(server, name);
  const { id } = await expectOk<{ id: string }>(server, 'POST', '/users', {
    token: workspace.admin.token,
    body: { email, password, ...names, workspaceId: workspace.id, role },
  });
  return { id, email, password, token: await signIn(server, { email, password }, workspace.id) };
};

import { as, done, type Request, type Send } from './requests.ts';

/** A person with an account. `token` is the access token of their session. */
export interface Person {
  id: string;
  email: string;
  password: string;
  token: string;
}

const detailsOf = (name: string) => ({
  email: `${name}@example.org`,
  firstName: name.charAt(0).toUpperCase() + name.slice(1),
  lastName: 'Example',
  password: `password of ${name}`,
});

export const signInRequest = (
  { email, password }: Pick<Person, 'email' | 'password'>,
  workspaceId?: string,
): Request => ({
  method: 'POST',
  path: '/authentication',
  body: { strategy: 'local', email, password, ...(workspaceId === undefined ? {} : { workspaceId }) },
});

const signIn = async (
  send: Send,
  person: Pick<Person, 'email' | 'password'>,
  workspaceId?: string,
): Promise<string> => {
  const { accessToken } = await done<{ accessToken: string }>(send, signInRequest(person, workspaceId));
  return accessToken;
};

/** An account without a workspace, signed in. */
export const signUp = async (send: Send, name: string): Promise<Person> => {
  const details = detailsOf(name);
  const { id } = await done(send, { method: 'POST', path: '/users', body: details });
  const { email, password } = details;
  return { id, email, password, token: await signIn(send, details) };
};

/** Creates a workspace with the person as admin. Their session is bound to it. */
export const createWorkspace = (send: Send, admin: Person, id: string) =>
  done<{ id: string; uniqueId: string }>(send, as(admin).post('/workspaces', { id, name: `The ${id}` }));

/** An account in the workspace of the admin, signed in to it, with a password of its own. */
export const addMember = async (
  send: Send,
  admin: Person,
  workspaceId: string,
  name: string,
): Promise<Person> => {
  const { password, ...details } = detailsOf(name);
  const given = { email: details.email, password: `given to ${name}` };
  const { id } = await done(
    send,
    as(admin).post('/users', { ...details, ...given, workspaceId, role: 'member' }),
  );
  const token = await signIn(send, given, workspaceId);
  // A person whose password was chosen by an admin cannot create a workspace.
  const person = { id, email: given.email, password, token };
  await done(send, as(person).patch(`/users/${id}`, { currentPassword: given.password, password }));
  return person;
};

import type { MailServer } from '@redoubt/testkit';
import type { TestServer } from '@redoubt/server/testing';
import type { CallDesk } from './call-desk.ts';

export interface Person {
  id: string;
  email: string;
  token: string;
}

/** The people that later calls use. */
export interface Team {
  workspaceId: string;
  /** The creator of the workspace. */
  ada: Person;
  /** A member. */
  ben: Person;
}

const password = 'correct horse battery';
const byToken = ({ token }: { token: string }) => ({ by: { token } });
const id = (value: string) => ({ params: { id: value } });

const signIn = async (desk: CallDesk, email: string, workspaceId?: string): Promise<string> => {
  const body = { strategy: 'local', email, password, ...(workspaceId === undefined ? {} : { workspaceId }) };
  return (await desk.call<{ accessToken: string }>('authenticate', { body })).accessToken;
};

/** The token in the newest mail to an address with a link to a page. */
const linkTo = async (server: TestServer, post: MailServer, email: string, page: string): Promise<string> => {
  await server.mailSettled();
  const tokens = post.mails.flatMap(({ to, text }) =>
    to.includes(email) ? [new RegExp(`/${page}[/#]([\\w-]+)`).exec(text)?.[1] ?? []].flat() : [],
  );
  const token = tokens.at(-1);
  if (token === undefined) throw new Error(`No mail to ${email} has a link to ${page}.`);
  return token;
};

/** Signs up, creates a workspace and adds people. */
export const foundTeam = async (desk: CallDesk): Promise<Team> => {
  desk.hide(password, 'PASSWORD');
  const names = { firstName: 'Ada', lastName: 'Okafor' };
  const email = 'ada@harbour.example';
  const ada = await desk.success('createUser', { body: { email, password, ...names } });
  await desk.error('createUser', { body: { email, password: 'short', ...names } });
  const first = await signIn(desk, email);
  const workspace = { name: 'Harbour', id: 'harbour' };
  await desk.success('createWorkspace', { by: { token: first }, body: workspace });
  await desk.error('createWorkspace', { by: { token: first }, body: workspace });
  const session = await desk.success<{ accessToken: string }>('authenticate', {
    body: { strategy: 'local', email, password, workspaceId: 'harbour' },
  });
  await desk.error('authenticate', { body: { strategy: 'local', email, password: 'a wrong one' } });
  const admin = { id: ada.id, email, token: session.accessToken };
  const by = byToken(admin);
  const ben = await desk.call('createUser', {
    ...by,
    body: {
      email: 'ben@harbour.example',
      password,
      firstName: 'Ben',
      lastName: 'Lindqvist',
      workspaceId: 'harbour',
      role: 'member',
    },
  });
  const member = {
    id: ben.id,
    email: 'ben@harbour.example',
    token: await signIn(desk, 'ben@harbour.example', 'harbour'),
  };
  const { sessionId } = await desk.success<{ sessionId: string }>('getMe', by);
  await desk.success('updateSession', { ...by, params: { id: sessionId }, body: { workspaceId: 'harbour' } });
  await desk.error('getMe', {});
  await desk.success('listUsers', { ...by, query: { $limit: '20', '$sort[lastName]': '1' } });
  await desk.success('getUser', { ...by, ...id(member.id) });
  await desk.error('getUser', { ...by, ...id('0198a5b2-7c1e-4a31-9d20-5e0f6a1b2c3d') });
  await desk.success('updateUser', { ...by, ...id(member.id), body: { role: 'member', disabled: false } });
  await desk.success('listWorkspaces', by);
  await desk.success('getWorkspace', { ...by, ...id('harbour') });
  await desk.success('updateWorkspace', { ...by, ...id('harbour'), body: { createAttributesOnWrite: true } });
  return { workspaceId: 'harbour', ada: admin, ben: member };
};

/** The session id of a token. */
const sessionOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string }).jti;

/** Calls for sessions and for leaving the workspace. */
const comeAndGo = async (desk: CallDesk, { ada, ben, workspaceId }: Team): Promise<void> => {
  const by = byToken(ada);
  const { data } = await desk.success<{ data: { id: string; isCurrent?: boolean }[] }>(
    'listSessions',
    byToken(ben),
  );
  if (data.length === 0) throw new Error('Nobody has a session.');
  const other = await signIn(desk, ben.email, workspaceId);
  await desk.success('deleteSession', { ...byToken(ben), ...id(sessionOf(other)) });
  const last = await signIn(desk, ben.email, workspaceId);
  await desk.success('signOut', { ...byToken({ token: last }), ...id(last) });
  const cleo = { email: 'cleo@harbour.example', password, firstName: 'Cleo', lastName: 'Duarte' };
  const { id: leaver } = await desk.call('createUser', {
    ...by,
    body: { ...cleo, workspaceId, role: 'member' },
  });
  await desk.success('deleteUser', { ...by, ...id(leaver) });
};

/** Invites a person with an existing account, who accepts, and revokes another invitation. */
const invite = async (
  desk: CallDesk,
  server: TestServer,
  post: MailServer,
  { ada, workspaceId }: Team,
): Promise<void> => {
  const by = byToken(ada);
  const dana = { email: 'dana@pilots.example', firstName: 'Dana', lastName: 'Reyes', password };
  await desk.call('createUser', { body: dana });
  const emil = { email: 'emil@pilots.example', firstName: 'Emil', lastName: 'Novak', password };
  await desk.call('createUser', { body: emil });
  const invited = { workspaceId, role: 'member' };
  await desk.call('createUser', { ...by, body: { ...dana, ...invited } });
  const token = await linkTo(server, post, dana.email, 'invite');
  desk.hide(token, 'INVITATION_TOKEN');
  const { id: unwanted } = await desk.call('createUser', { ...by, body: { ...emil, ...invited } });
  await desk.success('listInvitations', by);
  await desk.success('deleteInvitation', { ...by, ...id(unwanted) });
  const danas = { token: await signIn(desk, dana.email) };
  await desk.success('acceptInvitation', { by: danas, body: { token } });
  const fay = { firstName: 'Fay', lastName: 'Okafor' };
  await desk.success('createInvitation', { ...by, body: { email: 'fay@pilots.example', role: 'member' } });
  const open = await linkTo(server, post, 'fay@pilots.example', 'invite');
  desk.hide(open, 'TOKEN_OF_FAY');
  await desk.success('lookAtInvitation', { body: { token: open } });
  await desk.success('joinWorkspace', { body: { token: open, ...fay, password } });
};

/** An image of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const showPicture = async (desk: CallDesk, { ada }: Team): Promise<void> => {
  const about = { ...byToken(ada), ...id(ada.id) };
  const file = { name: 'picture.png', type: 'image/png', bytes: new Uint8Array(picture) };
  await desk.success('setProfilePicture', { ...about, file });
  await desk.success('getProfilePicture', about);
  await desk.success('deleteProfilePicture', about);
};

/** Calls that send mail: verifying an address, changing it, and resetting a password. */
const useMail = async (
  desk: CallDesk,
  server: TestServer,
  post: MailServer,
  { ada }: Team,
): Promise<void> => {
  const link = async (email: string, page: string, word: string): Promise<string> => {
    const token = await linkTo(server, post, email, page);
    desk.hide(token, word);
    return token;
  };
  const later = (): void => server.runtime.clock.advance(61_000);
  const finn = { email: 'finn@pilots.example', firstName: 'Finn', lastName: 'Haas', password };
  const { id: finnsId } = await desk.call('createUser', { body: finn });
  const by = { by: { token: await signIn(desk, finn.email) } };
  later();
  await desk.success('requestEmailVerification', by);
  const verification = await link(finn.email, 'verify-email', 'TOKEN_FROM_THE_MAIL');
  await desk.success('confirmEmail', { body: { token: verification } });
  await desk.error('confirmEmail', { body: { token: verification } });
  later();
  const email = 'finn.haas@pilots.example';
  await desk.call('updateUser', { ...by, ...id(finnsId), body: { email } });
  await desk.call('confirmEmailChange', {
    body: { token: await link(finn.email, 'change-email', 'TOKEN_FROM_THE_MAIL') },
  });
  await desk.success('confirmEmailChange', {
    body: { token: await link(email, 'change-email', 'TOKEN_FROM_THE_MAIL') },
  });
  later();
  await desk.success('requestPasswordReset', { body: { email } });
  const reset = await link(email, 'reset-password', 'TOKEN_FROM_THE_MAIL');
  const chosen = 'another horse battery';
  desk.hide(chosen, 'NEW_PASSWORD');
  await desk.success('confirmPasswordReset', { body: { token: reset, password: chosen } });
  later();
  const gina = { email: 'gina@harbour.example', firstName: 'Gina', lastName: 'Moreau', password };
  const { id: ginasId } = await desk.call('createUser', {
    ...byToken(ada),
    body: { ...gina, workspaceId: 'harbour', role: 'member' },
  });
  await desk.success('startPasswordReset', { ...byToken(ada), ...id(ginasId) });
};

/** Calls for accounts, invitations, pictures and mail. */
export const tellOfPeople = async (
  desk: CallDesk,
  server: TestServer,
  post: MailServer,
  team: Team,
): Promise<void> => {
  await comeAndGo(desk, team);
  await invite(desk, server, post, team);
  await showPicture(desk, team);
  await useMail(desk, server, post, team);
};

/** Deletes a workspace. It comes last. */
export const closeWorkspace = async (desk: CallDesk, { ada }: Team): Promise<void> => {
  await desk.success('deleteWorkspace', { ...byToken(ada), ...id('harbour') });
};

import { routes, type invitationRoutes, type userRoutes } from '@redoubt/contract';
import { listBriefRequests, listRequests, requests, type Case } from '../case.ts';
import { as, bodyOf } from '@redoubt/testkit/requests';

const newcomer = { firstName: 'New', lastName: 'Comer', password: 'long enough for one' };

export const userCases: Record<keyof typeof userRoutes, Case> = {
  listUsers: requests(({ people: { reader, outsider, loner, bystander, sleeper }, hidden }) => [
    ...listRequests(routes.listUsers, reader, {
      id: [hidden.hider.id, bystander.id],
      email: [hidden.hider.email, bystander.email],
      firstName: ['Hider', 'Bystander'],
      workspaceId: [hidden.workspace.id, hidden.workspace.uniqueId],
      role: ['admin', 'null'],
      disabled: ['null'],
    }),
    as(reader).get('/users?disabled=true'),
    as(reader).get(`/users?id=${sleeper.id}&disabled[$ne]=false`),
    ...[outsider, loner].flatMap((person) =>
      listBriefRequests(routes.listUsers, person, { id: [hidden.hider.id], email: [hidden.hider.email] }),
    ),
  ]),
  getUser: requests(({ people, hidden }) =>
    [people.reader, people.outsider, people.loner].flatMap((person) =>
      [hidden.hider.id, people.bystander.id, people.sleeper.id, people.reader.id, hidden.dataset].map((id) =>
        as(person).get(`/users/${id}`),
      ),
    ),
  ),
  createUser: requests(({ people: { reader, admin, outsider, workspace, elsewhere }, hidden }) => [
    ...[reader, admin, outsider].map((person) =>
      as(person).post('/users', { ...newcomer, email: 'new@example.org', workspaceId: hidden.workspace.id }),
    ),
    as(reader).post('/users', { ...newcomer, email: 'new@example.org', workspaceId: workspace.id }),
    { method: 'POST', path: '/users', body: { ...newcomer, email: 'new@example.org', role: 'admin' } },
    as(outsider).post('/users', { ...newcomer, email: 'new@example.org', workspaceId: elsewhere.id }),
  ]),
  updateUser: requests(({ people: { reader, admin, outsider, bystander }, hidden }) => [
    as(reader).patch(`/users/${reader.id}`, { firstName: 'Renamed' }),
    ...[reader, admin, outsider].flatMap((person) => [
      as(person).patch(`/users/${hidden.hider.id}`, { firstName: 'Mine' }),
      as(person).patch(`/users/${hidden.hider.id}`, { role: 'admin' }),
    ]),
    as(reader).patch(`/users/${reader.id}`, { role: 'admin' }),
    as(reader).patch(`/users/${reader.id}`, { workspaceId: hidden.workspace.id }),
    as(reader).patch(`/users/${bystander.id}`, { disabled: true }),
  ]),
  deleteUser: requests(({ people: { reader, admin, outsider, loner }, hidden }) => [
    ...[reader, admin, outsider, loner].map((person) => as(person).remove(`/users/${hidden.hider.id}`)),
    as(loner).remove(`/users/${loner.id}`),
  ]),
};

export const invitationCases: Record<keyof typeof invitationRoutes, Case> = {
  listInvitations: requests(({ people: { reader, outsider }, hidden }) => [
    ...listBriefRequests(routes.listInvitations, outsider, {
      id: [hidden.invitation.id, hidden.readerInvitation.id],
      email: [reader.email, 'loner@example.org'],
      workspaceId: [hidden.workspace.id],
      createdBy: [hidden.hider.id],
    }),
    as(reader).get('/invitations'),
  ]),
  createInvitation: requests(({ people: { reader, outsider } }) => [
    ...['new@example.org', 'loner@example.org', reader.email, outsider.email].map((email) =>
      as(outsider).post('/invitations', { email }),
    ),
    as(reader).post('/invitations', { email: 'new@example.org' }),
  ]),
  // Anyone with the token of an invitation may see what it is for, so only an unknown token and an own one are sent.
  lookAtInvitation: async (send, { people: { outsider } }) => {
    const { token } = bodyOf(
      await send(as(outsider).post('/invitations', { email: 'look@example.org' })),
    ) as {
      token: string;
    };
    for (const one of ['unknown', token])
      await send({ method: 'POST', path: '/invitations/look', body: { token: one } });
  },
  joinWorkspace: async (send, { people: { outsider } }) => {
    const { token } = bodyOf(
      await send(as(outsider).post('/invitations', { email: 'join@example.org' })),
    ) as {
      token: string;
    };
    for (const one of ['unknown', token, token])
      await send({ method: 'POST', path: '/invitations/join', body: { ...newcomer, token: one } });
  },
  acceptInvitation: async (send, { people: { reader, outsider, loner, elsewhere }, hidden }) => {
    for (const person of [reader, outsider]) {
      for (const token of [hidden.invitation.token, hidden.lonerInvitation.token, 'unknown']) {
        await send(as(person).post('/invitations/accept', { token }));
      }
    }
    const invited = { ...newcomer, email: loner.email, workspaceId: elsewhere.id };
    const { token } = bodyOf(await send(as(outsider).post('/users', invited))) as { token: string };
    await send(as(reader).post('/invitations/accept', { token }));
    await send(as(loner).post('/invitations/accept', { token }));
    await send(as(loner).get('/me'));
  },
  deleteInvitation: async (send, { people: { reader, outsider }, hidden }) => {
    for (const person of [reader, outsider]) {
      for (const id of [hidden.invitation.id, hidden.readerInvitation.id]) {
        await send(as(person).remove(`/invitations/${id}`));
      }
    }
    const { data } = bodyOf(await send(as(outsider).get('/invitations'))) as { data: { id: string }[] };
    for (const { id } of data) await send(as(outsider).remove(`/invitations/${id}`));
  },
};

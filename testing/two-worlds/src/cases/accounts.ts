import {
  routes,
  type emailAddressRoutes,
  type passwordResetRoutes,
  type profilePictureRoutes,
  type sessionRoutes,
} from '@redoubt/contract';
import { listBriefRequests, listRequests, requests, type Case } from '../case.ts';
import { signInRequest, type Person } from '@redoubt/testkit/requests';
import { as, bodyOf, type Request } from '@redoubt/testkit/requests';

type Calls = typeof emailAddressRoutes &
  typeof passwordResetRoutes &
  typeof profilePictureRoutes &
  typeof sessionRoutes;

/** A picture with one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const upload = ({ token }: Person, id: string): Request => ({
  method: 'POST',
  path: `/users/${id}/picture`,
  token,
  body: png,
  headers: { 'content-type': 'image/png' },
});

const openPost = (path: string, body: unknown): Request => ({ method: 'POST', path, body });

/** Tokens of links: invalid ones, and valid ones for other purposes. */
const tokensOf = ({ hidden }: { hidden: { invitation: { token: string } } }): string[] => [
  hidden.invitation.token,
  'unknown',
];

export const accountCases: Record<keyof Calls, Case> = {
  listSessions: requests(({ people: { reader, outsider, loner }, hidden }) => {
    const aims = {
      id: [hidden.dataset],
      workspaceId: [hidden.workspace.id],
      credential: ['session', 'key'],
      current: ['true'],
    };
    return [
      ...listRequests(routes.listSessions, reader, aims),
      ...[outsider, loner].flatMap((person) => listBriefRequests(routes.listSessions, person, aims)),
    ];
  }),
  deleteSession: async (send, { people: { reader }, hidden }) => {
    const { accessToken: token } = bodyOf(await send(signInRequest(reader))) as { accessToken: string };
    const { data } = bodyOf(await send(as({ token }).get('/sessions?current=true'))) as {
      data: { id: string }[];
    };
    for (const id of [hidden.dataset, hidden.hider.id, 'unknown', ...data.map((session) => session.id)])
      await send(as(reader).remove(`/sessions/${id}`));
    await send(as({ token }).get('/me'));
  },
  updateSession: async (send, { people: { reader, workspace }, hidden }) => {
    const { accessToken: token } = bodyOf(await send(signInRequest(reader))) as { accessToken: string };
    const { data } = bodyOf(await send(as({ token }).get('/sessions?current=true'))) as {
      data: { id: string }[];
    };
    const ids = [hidden.hider.id, 'unknown', ...data.map((session) => session.id)];
    for (const id of ids)
      for (const workspaceId of [hidden.workspace.id, 'unknown', workspace.id])
        await send(as({ token }).patch(`/sessions/${id}`, { workspaceId }));
    await send(as({ token }).get('/me'));
  },
  requestEmailVerification: requests(({ people: { reader, loner } }) =>
    [reader, loner].map((person) => ({ ...as(person).get('/email-verifications'), method: 'POST' as const })),
  ),
  confirmEmail: requests((scenario) =>
    tokensOf(scenario).map((token) => openPost('/email-verifications/confirm', { token })),
  ),
  confirmEmailChange: requests((scenario) =>
    tokensOf(scenario).map((token) => openPost('/email-changes/confirm', { token })),
  ),
  requestPasswordReset: requests(({ people: { reader } }) =>
    [reader.email, 'nobody@example.org'].map((email) => openPost('/password-resets', { email })),
  ),
  startPasswordReset: requests(({ people: { reader, admin, outsider, bystander }, hidden }) =>
    [reader, admin, outsider].flatMap((person) =>
      [hidden.hider.id, bystander.id, 'unknown'].map((id) => ({
        ...as(person).get(`/users/${id}/password-reset`),
        method: 'POST' as const,
      })),
    ),
  ),
  confirmPasswordReset: requests((scenario) =>
    tokensOf(scenario).map((token) =>
      openPost('/password-resets/confirm', { token, password: 'long enough for one' }),
    ),
  ),
  setProfilePicture: requests(({ people: { reader, admin, outsider, bystander }, hidden }) => [
    upload(reader, reader.id),
    ...[reader, admin, outsider].flatMap((person) =>
      [hidden.hider.id, bystander.id, 'unknown'].map((id) => upload(person, id)),
    ),
  ]),
  getProfilePicture: requests(({ people: { reader, admin, outsider, loner, bystander }, hidden }) => [
    upload(reader, reader.id),
    ...[reader, admin, outsider, loner].flatMap((person) =>
      [hidden.hider.id, bystander.id, reader.id, 'unknown'].map((id) =>
        as(person).get(`/users/${id}/picture`),
      ),
    ),
  ]),
  deleteProfilePicture: requests(({ people: { reader, admin, outsider }, hidden }) => [
    upload(reader, reader.id),
    ...[outsider, admin, reader].flatMap((person) =>
      [hidden.hider.id, reader.id].map((id) => as(person).remove(`/users/${id}/picture`)),
    ),
  ]),
};

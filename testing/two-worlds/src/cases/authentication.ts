import type { authenticationRoutes } from '@redoubt/contract';
import { requests, type Case } from '../case.ts';
import { signInRequest } from '@redoubt/testkit/requests';
import { as, bodyOf, type Request } from '@redoubt/testkit/requests';

const signIn = (body: unknown, search = ''): Request => ({
  method: 'POST',
  path: `/authentication${search}`,
  body,
});

export const authenticationCases: Record<keyof typeof authenticationRoutes, Case> = {
  authenticate: requests(({ people, hidden }) => {
    const { reader, loner } = people;
    return [
      signInRequest(reader),
      signInRequest(loner),
      ...[hidden.workspace.id, hidden.workspace.uniqueId, 'nowhere-at-all'].flatMap((workspaceId) => [
        signInRequest(reader, workspaceId),
        signIn({ strategy: 'jwt', accessToken: reader.token, workspaceId }),
        signIn(
          { strategy: 'local', email: reader.email, password: reader.password },
          `?workspaceId=${workspaceId}`,
        ),
      ]),
      signInRequest({ email: hidden.hider.email, password: 'a wrong one' }),
      signIn({ strategy: 'jwt', accessToken: reader.token }),
      signIn({ strategy: 'jwt', accessToken: `${hidden.session.accessToken}x` }),
    ];
  }),
  signOut: async (send, { people: { reader }, hidden }) => {
    await send(as(reader).remove(`/authentication/${hidden.session.accessToken}`));
    await send(as(reader).remove(`/authentication/${hidden.hider.token}`));
    await send(as(reader).remove('/authentication/unknown'));
    const { accessToken: token } = bodyOf(await send(signInRequest(reader))) as { accessToken: string };
    await send(as({ token }).remove('/authentication/null'));
    await send(as({ token }).remove('/authentication/null'));
  },
  getMe: requests(({ people: { reader, loner, outsider } }) =>
    [reader, loner, outsider].map((person) => as(person).get('/me')),
  ),
};

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, signInApi } from '../../api/client.ts';
import { invitationPath } from '../../api/page-session.ts';
import { startAfresh } from './session.ts';

/** Whether this page is that of an invitation. */
export const isInvitationPage = (): boolean => location.pathname === invitationPath;

export const invitationToken = (): string => location.hash.slice(1);

/** Opens the console. `replace` removes the token from the address and the history. */
export const leaveInvitation = (): void => location.replace('/app/');

export interface Join {
  token: string;
  email: string;
  firstName: string;
  lastName: string;
  password: string;
}

/** Creates the account of an invited address and signs in. */
export const useJoin = () =>
  useMutation({
    mutationFn: async ({ token, email, firstName, lastName, password }: Join) => {
      await api.joinWorkspace({ body: { token, firstName, lastName, password } });
      await signInApi.authenticate({ body: { strategy: 'local', email, password } });
    },
    onSuccess: leaveInvitation,
  });

/** Accepts an invitation as the person who is signed in, and enters the workspace. */
export const useAcceptInvitation = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (token: string) => {
      const { workspaceId } = await api.acceptInvitation({ body: { token } });
      const { sessionId } = await api.getMe();
      await api.updateSession({ params: { id: sessionId ?? '' }, body: { workspaceId } });
    },
    onSuccess: async () => {
      await startAfresh(client);
      leaveInvitation();
    },
  });
};

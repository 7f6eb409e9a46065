import type { Me } from '@redoubt/contract';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, isError, signInApi } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { claimAddress } from '../../api/own-history.ts';
import {
  currentSession,
  endPage,
  endSession,
  invitationPath,
  setSessionId,
  signInPath,
  tellOtherPages,
} from '../../api/page-session.ts';

export interface SignIn {
  email: string;
  password: string;
  /** The workspace to enter; their only one where it is absent. */
  workspaceId?: string;
}

export interface SignUp extends SignIn {
  firstName: string;
  lastName: string;
}

/** The person whom this page has shown. */
let shownPerson: string | undefined;

/** The address may be that of another person's page: what they filtered or searched for is not shown to the next. */
const shortenAddress = (): void => {
  const isEntryPage = location.pathname === invitationPath || location.pathname === signInPath;
  if (!isEntryPage) history.replaceState(history.state, '', location.pathname);
};

/** Who is signed in; null when nobody is. */
const fetchMe = async (): Promise<Me | null> => {
  try {
    const me = await api.getMe();
    if (shownPerson !== undefined && shownPerson !== me.email) {
      endPage();
      return null;
    }
    shownPerson = me.email;
    setSessionId(me.sessionId ?? undefined);
    claimAddress(me.sessionId ?? '');
    return me;
  } catch (error) {
    if (!isError(error, 'AuthError')) throw error;
    if (shownPerson === undefined) shortenAddress();
    else endPage();
    return null;
  }
};

export const useMe = () => useQuery({ queryKey: keys.me, queryFn: fetchMe, staleTime: Infinity });

/** Forgets everything that the last person or workspace saw; the page then shows the person who is here now. */
const showPerson = (client: QueryClient, me: Me | null): void => {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] });
  client.getMutationCache().clear();
  client.setQueryData(keys.me, me);
};

/** Shows the person who is here now, after the session has changed. */
export const startAfresh = async (client: QueryClient): Promise<void> => {
  tellOtherPages(currentSession());
  setSessionId(undefined);
  showPerson(client, await fetchMe());
};

export const useSignIn = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (signIn: SignIn) => signInApi.authenticate({ body: { strategy: 'local', ...signIn } }),
    onSuccess: () => startAfresh(client),
  });
};

export const useSignUp = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ email, password, firstName, lastName }: SignUp) => {
      await api.createUser({ body: { email, password, firstName, lastName } });
      await signInApi.authenticate({ body: { strategy: 'local', email, password } });
    },
    onSuccess: () => startAfresh(client),
  });
};

export const useSignOut = () =>
  useMutation({
    mutationFn: async (sessionId: string) => {
      try {
        await api.deleteSession({ params: { id: sessionId } });
      } catch (error) {
        // A session that has expired is signed out already.
        if (!isError(error, 'AuthError')) throw error;
      }
    },
    onSuccess: endSession,
  });

export const useWorkspaces = () =>
  useQuery({
    queryKey: keys.workspaces,
    queryFn: () => api.listWorkspaces({ query: { $limit: -1, $sort: { name: 1 } } }),
  });

/** Moves the session to a workspace of the person. */
export const useEnterWorkspace = (sessionId: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (workspaceId: string) =>
      api.updateSession({ params: { id: sessionId }, body: { workspaceId } }),
    onSuccess: () => startAfresh(client),
  });
};

export const useCreateWorkspace = () => {
  const client = useQueryClient();
  return useMutation({
    // The server binds a session without a workspace to the one that it creates.
    mutationFn: (name: string) => api.createWorkspace({ body: { name } }),
    onSuccess: () => startAfresh(client),
  });
};

import type { Me } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, isError, signInApi } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { claimAddress, shortenForeignAddress } from '../../api/own-history.ts';
import { currentSession, endPage, endSession, setSessionId, tellOtherPages } from '../../api/page-session.ts';

export interface SignIn {
  email: string;
  password: string;
  /** The workspace to enter. If absent, the server enters the only workspace of the person. */
  workspaceId?: string;
}

export interface SignUp extends SignIn {
  firstName: string;
  lastName: string;
}

/** The address of the person whose data this page has shown. */
let shownPerson: string | undefined;

/** Returns who is signed in, or null if nobody is. Ends the page if it has shown the data of somebody else. */
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
    if (shownPerson === undefined) shortenForeignAddress();
    else endPage();
    return null;
  }
};

export const useMe = () => useQuery({ queryKey: keys.me, queryFn: fetchMe, staleTime: Infinity });

/** Drops all cached responses of the previous person or workspace, and shows the current person. */
const showPerson = (client: QueryClient, me: Me | null): void => {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] });
  client.getMutationCache().clear();
  client.setQueryData(keys.me, me);
};

/** Shows the current person after the session of the browser has changed. */
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
        // An expired session counts as signed out.
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

/** Moves the session to another workspace of the person. */
export const useEnterWorkspace = (sessionId: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (workspaceId: string) =>
      api.updateSession({ params: { id: sessionId }, body: { workspaceId } }),
    onSuccess: () => startAfresh(client),
  });
};

const idSuffixLength = 6;

/** An id for a workspace whose name gives none that is free. */
const spareWorkspaceId = (name: string): string => {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
  const suffix = crypto.randomUUID().slice(-idSuffixLength);
  return `${words === '' ? 'workspace' : words}-${suffix}`;
};

/** Whether a request failed because of the id: it is taken, or the name gives none. */
const isAboutId = (error: unknown): boolean =>
  error instanceof RedoubtError &&
  (error.code === 409 || error.errors?.some(({ field }) => field === 'id') === true);

export const useCreateWorkspace = () => {
  const client = useQueryClient();
  return useMutation({
    // If the session has no workspace, the server binds it to the new one.
    mutationFn: async (name: string) => {
      try {
        return await api.createWorkspace({ body: { name } });
      } catch (error) {
        if (!isAboutId(error)) throw error;
        return api.createWorkspace({ body: { name, id: spareWorkspaceId(name) } });
      }
    },
    onSuccess: () => startAfresh(client),
  });
};

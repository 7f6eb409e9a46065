import { useQuery, useQueryClient } from '@tanstack/react-query';
import { signInApi } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { signInPath } from '../../api/page-session.ts';
import { signInOptionsQuery } from '../../api/shared-queries.ts';
import { returnedSignIn } from './entry-address.ts';
import { startAfresh } from './session.ts';

/**
 * The ways to sign in.
 * @param workspaceId the workspace to sign in to; empty for none
 */
export const useSignInOptions = (workspaceId: string) => useQuery(signInOptionsQuery(workspaceId));

/** The maximum length of `next`. A longer one is dropped, so that it does not make the sign-in fail. */
const maxNextLength = 1000;

/**
 * The address that starts the sign-in at a provider. The provider returns to the sign-in page, which then
 * opens `next`.
 */
export const providerSignInUrl = (strategy: string, workspaceId: string, next: string): string => {
  const own = workspaceId === '' ? {} : { workspaceId };
  const isKept = next !== '/app/' && next.length <= maxNextLength;
  const search = new URLSearchParams({ ...own, ...(isKept && { next }) }).toString();
  const returnTo = search === '' ? signInPath : `${signInPath}?${search}`;
  return `/sso/${encodeURIComponent(strategy)}/login?${new URLSearchParams({ ...own, returnTo }).toString()}`;
};

/** Opens the session of a sign-in that has returned from a provider. It does so once. */
export const useReturnedSignIn = (isNobodyHere: boolean) => {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.signInCode,
    enabled: isNobodyHere && returnedSignIn !== undefined,
    // The code is valid only once.
    retry: false,
    retryOnMount: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
    queryFn: async () => {
      if (returnedSignIn === undefined) return false;
      await signInApi.authenticate({ body: returnedSignIn });
      await startAfresh(client);
      return true;
    },
  });
};

const problems: Readonly<Record<string, string>> = {
  expired:
    'This sign-in took longer than ten minutes, or was started in another browser. Start it again below.',
  refused:
    'The identity provider did not confirm who you are, or the sign-in was canceled. Try again, or sign in another way.',
  unavailable: 'The identity provider does not respond. Try again later, or sign in another way.',
  'not-available': 'This way of signing in is not set up here. Sign in another way.',
};

/**
 * Describes the error code that a failed sign-in left in the address.
 * @returns undefined for an unknown code, because anybody can write the address
 */
export const describeSignInProblem = (problem: string): string | undefined =>
  Object.hasOwn(problems, problem) ? problems[problem] : undefined;

import type { Me } from '@redoubt/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from './client.ts';
import { keys } from './keys.ts';

/** The attributes that the person holds, or all attributes of the workspace for people who manage them. */
export const attributesQuery = queryOptions({
  queryKey: keys.attributes,
  queryFn: () => api.listAttributes({ query: { $limit: -1, $sort: { token: 1 } } }),
});

/** The stored connections that the person may use or manage, by name. */
export const connectionsQuery = queryOptions({
  queryKey: keys.connections,
  queryFn: () => api.listConnections({ query: { $limit: -1, $sort: { name: 1 } } }),
});

/** The connectors and the languages of text recognition that the server offers. */
export const ingestOptionsQuery = queryOptions({
  queryKey: keys.ingestOptions,
  staleTime: Infinity,
  queryFn: () => api.getIngestOptions(),
});

/** The people of the workspace who are visible to the person. */
export const usersQuery = queryOptions({
  queryKey: keys.users,
  queryFn: () => api.listUsers({ query: { $limit: -1, $sort: { lastName: 1, firstName: 1 } } }),
});

/** The ways to sign in, and whether the server sends mail. For a workspace, or for none if the id is empty. */
export const signInOptionsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: keys.signInOptions(workspaceId),
    staleTime: Infinity,
    queryFn: () => api.getSignInOptions({ query: workspaceId === '' ? {} : { workspaceId } }),
  });

/** The person who is signed in. */
export const usePerson = (): Me | undefined => useQueryClient().getQueryData<Me | null>(keys.me) ?? undefined;

export interface OwnRights {
  userId: string;
  isAdmin: boolean;
  /** Whether the person holds this workspace permission, or is an admin. */
  has: (code: string) => boolean;
}

/** The role and permissions of the person in the workspace; undefined until they are loaded. */
export const useOwnRights = (): OwnRights | undefined => {
  const me = usePerson();
  const { data } = useQuery({
    queryKey: [...keys.users, 'own-rights'],
    enabled: me !== undefined,
    queryFn: async () => {
      const { data: users } = await api.listUsers({ query: { email: me?.email ?? '' } });
      const own = users[0];
      if (own === undefined) return { userId: '', isAdmin: false, codes: [] };
      const held = await api.listWorkspacePermissionAssignments({ query: { userId: own.id, $limit: -1 } });
      return {
        userId: own.id,
        isAdmin: own.role === 'admin',
        codes: held.data.map((one) => one.workspacePermissionsCode),
      };
    },
  });
  if (data === undefined) return undefined;
  const codes = new Set<string>(data.codes);
  return { ...data, has: (code) => data.isAdmin || codes.has(code) };
};

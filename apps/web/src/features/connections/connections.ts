import type { ConnectionAction, ConnectionCreate, ConnectionPatch } from '@redoubt/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { connectionsQuery } from '../../api/shared-queries.ts';

const everything = -1;

export const useConnections = () => useQuery(connectionsQuery);

export const useConnection = (id: string) =>
  useQuery({ queryKey: keys.connection(id), queryFn: () => api.getConnection({ params: { id } }) });

/** A mutation after which all cached connections are read again. */
const useChange = <I, O>(change: (input: I) => Promise<O>) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: keys.connections }),
  });
};

export const useCreateConnection = () =>
  useChange((body: ConnectionCreate) => api.createConnection({ body }));

export const usePatchConnection = (id: string) =>
  useChange((body: ConnectionPatch) => api.patchConnection({ params: { id }, body }));

export const useTestConnection = (id: string) => useChange(() => api.testConnection({ params: { id } }));

export const useDeleteConnection = () => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.deleteConnection({ params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.connections, exact: true }),
  });
};

/** The grants of a connection. */
export const useConnectionGrants = (connectionId: string, mayManage: boolean) =>
  useQuery({
    queryKey: keys.connectionGrants(connectionId),
    enabled: mayManage,
    queryFn: () => api.listConnectionPermissions({ query: { connectionId, $limit: everything } }),
  });

/** The groups that are visible to the person, by name. */
export const useGroupNames = () =>
  useQuery({
    queryKey: keys.groups,
    queryFn: () => api.listGroups({ query: { $limit: everything, $sort: { name: 1 } } }),
  });

export const useShareConnection = (connectionId: string) =>
  useChange((grant: { groupId: string; action: ConnectionAction }) =>
    api.createConnectionPermission({ body: { connectionId, ...grant } }),
  );

export const useWithdrawConnection = () =>
  useChange((id: string) => api.deleteConnectionPermission({ params: { id } }));

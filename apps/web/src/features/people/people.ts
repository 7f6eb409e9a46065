import type { DatasetAction, User, WorkspaceRole } from '@redoubt/contract';
import { RedoubtError } from '@redoubt/errors';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, isError } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { attributesQuery, usePerson, usersQuery } from '../../api/shared-queries.ts';

const everything = -1;

export const nameOf = ({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`;

export const useUsers = () => useQuery(usersQuery);

/** Makes a member of the workspace an admin, or an admin a member. */
export const useChangeRole = (userId: string) =>
  useChange((role: WorkspaceRole) => api.updateUser({ params: { id: userId }, body: { role } }), keys.users);

export const useInvitations = (isAllowed: boolean) =>
  useQuery({
    queryKey: keys.invitations,
    enabled: isAllowed,
    queryFn: () => api.listInvitations({ query: { $limit: everything, $sort: { createdAt: -1 } } }),
  });

/** A mutation that invalidates the cached responses with these keys. */
const useChange = <I, O>(change: (input: I) => Promise<O>, ...stale: (readonly string[])[]) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      await Promise.all(stale.map((queryKey) => client.invalidateQueries({ queryKey })));
    },
  });
};

export const useInvite = () =>
  useChange(
    (body: { email: string; role: WorkspaceRole }) => api.createInvitation({ body }),
    keys.invitations,
  );

export const useWithdrawInvitation = () =>
  useChange((id: string) => api.deleteInvitation({ params: { id } }), keys.invitations);

export const useAttributes = () => useQuery(attributesQuery);

export const useCreateAttribute = () =>
  useChange(
    (body: { name: string; token: string; description: string }) => api.createAttribute({ body }),
    keys.attributes,
  );

export const useDeleteAttribute = () =>
  useChange(
    (id: string) => api.deleteAttribute({ params: { id } }),
    keys.attributes,
    keys.assignments,
    keys.labelVisibility,
    keys.datasets,
  );

export const useAssignments = () =>
  useQuery({
    queryKey: keys.assignments,
    queryFn: () => api.listAttributeAssignments({ query: { $limit: everything } }),
  });

/** Whether the error means that a person already holds the attribute. */
const isAlreadyGiven = (error: unknown): boolean => error instanceof RedoubtError && error.code === 409;

/** Gives an attribute to people, and ignores those who already hold it. */
export const useGiveAttribute = () =>
  useChange(
    async ({ attributeId, userIds }: { attributeId: string; userIds: readonly string[] }) => {
      for (const userId of userIds) {
        try {
          await api.createAttributeAssignment({ body: { attributeId, userId } });
        } catch (error) {
          if (!isAlreadyGiven(error)) throw error;
        }
      }
    },
    keys.assignments,
    keys.labelVisibility,
    keys.datasets,
  );

export const useTakeAttribute = () =>
  useChange(
    (id: string) => api.deleteAttributeAssignment({ params: { id } }),
    keys.assignments,
    keys.labelVisibility,
  );

export const useGroups = () =>
  useQuery({
    queryKey: keys.groups,
    queryFn: () => api.listGroups({ query: { $limit: everything, $sort: { name: 1 } } }),
  });

export const useGroup = (id: string) =>
  useQuery({
    queryKey: [...keys.groups, id],
    retry: (count, error) => !isError(error, 'NotFoundError') && count < 2,
    queryFn: () => api.getGroup({ params: { id } }),
  });

export const useCreateGroup = () => {
  const workspaceId = usePerson()?.workspaceId ?? '';
  return useChange((name: string) => api.createGroup({ body: { name, workspaceId } }), keys.groups);
};

/** All memberships of groups that are visible to the person. */
export const useMemberships = () =>
  useQuery({
    queryKey: [...keys.groups, 'memberships'],
    queryFn: () =>
      api.listGroupMemberships({ query: { $limit: everything, user: true, group: true, subGroup: true } }),
  });

export const useAddMember = (groupId: string) =>
  useChange(
    (member: { userId: string } | { childGroupId: string }) =>
      api.createGroupMembership({ body: { groupId, role: 'member', ...member } }),
    keys.groups,
    keys.datasets,
  );

export const useRemoveMember = () =>
  useChange((id: string) => api.deleteGroupMembership({ params: { id } }), keys.groups, keys.datasets);

export const usePermissions = (groupId: string) =>
  useQuery({
    queryKey: [...keys.permissions, groupId],
    queryFn: () => api.listDatasetPermissions({ query: { groupId, $limit: everything } }),
  });

export const useGrant = (groupId: string) =>
  useChange(
    ({ datasetId, action }: { datasetId: string; action: DatasetAction }) =>
      api.createDatasetPermission({ body: { datasetId, action, groupId } }),
    keys.permissions,
    keys.datasets,
  );

/**
 * The grants of a dataset that are visible to the person: all for people who manage the dataset, and those to their own
 * groups for others.
 */
export const useDatasetPermissions = (datasetId: string) =>
  useQuery({
    queryKey: [...keys.permissions, 'of', datasetId],
    queryFn: () => api.listDatasetPermissions({ query: { datasetId, $limit: everything } }),
  });

export const useGrantDataset = (datasetId: string) =>
  useChange(
    ({ groupId, action }: { groupId: string; action: DatasetAction }) =>
      api.createDatasetPermission({ body: { datasetId, action, groupId } }),
    keys.permissions,
    keys.datasets,
  );

export const useWithdrawGrant = () =>
  useChange((id: string) => api.deleteDatasetPermission({ params: { id } }), keys.permissions, keys.datasets);

import type { Person } from './people.ts';
import { as, done, type Send } from './requests.ts';

const create = async (send: Send, maker: Person, path: string, body: unknown): Promise<string> => {
  const { id } = await done(send, as(maker).post(path, body));
  return id;
};

/** Functions that create attributes, groups, grants and datasets. Each returns the id of the new object. */
export const createAccessMakers = (send: Send, person: Person, workspaceId: string) => ({
  attribute: (token: string) =>
    create(send, person, '/attributes', { name: `Attribute ${token}`, token, workspaceId }),
  assignment: (attributeId: string, { id: userId }: { id: string }) =>
    create(send, person, '/attribute-assignments', { attributeId, userId }),
  group: (name: string) => create(send, person, '/groups', { name, workspaceId }),
  member: (groupId: string, { id: userId }: { id: string }, role: 'member' | 'admin' = 'member') =>
    create(send, person, '/group-memberships', { groupId, userId, role }),
  child: (groupId: string, childGroupId: string) =>
    create(send, person, '/group-memberships', { groupId, childGroupId, role: 'member' }),
  dataset: (name: string, searchAnyField = true) =>
    create(send, person, '/datasets', {
      name,
      description: `What ${name} is about`,
      workspaceId,
      searchAnyField,
    }),
  permission: (action: 'read' | 'write' | 'manage', datasetId: string, groupId: string) =>
    create(send, person, '/dataset-permissions', { action, datasetId, groupId }),
  connectionPermission: (action: 'use' | 'manage', connectionId: string, groupId: string) =>
    create(send, person, '/connection-permissions', { action, connectionId, groupId }),
});

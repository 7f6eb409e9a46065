import type { CallDesk } from './call-desk.ts';
import type { Team } from './people-story.ts';

const id = (value: string) => ({ params: { id: value } });
const unknownId = '0198a5b2-7c1e-4a31-9d20-5e0f6a1b2c3d';

/** The objects that the data calls need. */
export interface Access {
  /** The group of the readers. */
  readers: string;
}

const giveAttributes = async (desk: CallDesk, { ada, ben, workspaceId }: Team): Promise<void> => {
  const by = { by: { token: ada.token } };
  const region = { name: 'Region Europe', token: 'REGION:EU', workspaceId };
  const { id: europe } = await desk.success('createAttribute', { ...by, body: region });
  await desk.error('createAttribute', { ...by, body: region });
  const { id: unused } = await desk.call('createAttribute', {
    ...by,
    body: { name: 'Draft', token: 'DRAFT', workspaceId },
  });
  await desk.success('patchAttribute', {
    ...by,
    ...id(europe),
    body: { description: 'Records about Europe.' },
  });
  const { id: given } = await desk.success('createAttributeAssignment', {
    ...by,
    body: { attributeId: europe, userId: ben.id },
  });
  await desk.error('createAttributeAssignment', { ...by, body: { attributeId: europe, userId: ada.id } });
  await desk.success('listAttributes', { ...by, query: { $limit: '20' } });
  await desk.success('getAttribute', { ...by, ...id(europe) });
  await desk.success('listAttributeAssignments', by);
  await desk.success('getAttributeAssignment', { ...by, ...id(given) });
  const { id: mistaken } = await desk.call('createAttributeAssignment', {
    ...by,
    body: { attributeId: unused, userId: ben.id },
  });
  await desk.success('patchAttributeAssignment', { ...by, ...id(mistaken), body: { attributeId: unused } });
  await desk.success('deleteAttributeAssignment', { ...by, ...id(mistaken) });
  await desk.success('deleteAttribute', { ...by, ...id(unused) });
  await desk.error('getAttribute', { ...by, ...id(unused) });
};

const formGroups = async (desk: CallDesk, { ada, ben, workspaceId }: Team): Promise<Access> => {
  const by = { by: { token: ada.token } };
  const { id: readers } = await desk.success('createGroup', {
    ...by,
    body: { name: 'Readers', workspaceId },
  });
  const { id: pilots } = await desk.call('createGroup', { ...by, body: { name: 'Pilots', workspaceId } });
  await desk.success('patchGroup', { ...by, ...id(pilots), body: { name: 'Harbour pilots' } });
  const { id: membership } = await desk.success('createGroupMembership', {
    ...by,
    body: { groupId: readers, userId: ben.id, role: 'member' },
  });
  const { id: nested } = await desk.call('createGroupMembership', {
    ...by,
    body: { groupId: readers, childGroupId: pilots, role: 'member' },
  });
  await desk.error('createGroupMembership', {
    ...by,
    body: { groupId: pilots, childGroupId: readers, role: 'member' },
  });
  await desk.success('listGroups', { ...by, query: { '$sort[name]': '1' } });
  await desk.success('getGroup', { ...by, ...id(readers), query: { groupMemberships: 'true' } });
  await desk.success('listGroupMemberships', { ...by, query: { groupId: readers, user: 'true' } });
  await desk.success('getGroupMembership', { ...by, ...id(membership) });
  await desk.success('patchGroupMembership', { ...by, ...id(membership), body: { role: 'member' } });
  await desk.success('deleteGroupMembership', { ...by, ...id(nested) });
  await desk.success('deleteGroup', { ...by, ...id(pilots) });
  await desk.error('getGroup', { ...by, ...id(pilots) });
  return { readers };
};

const givePermissions = async (desk: CallDesk, { ada, ben, workspaceId }: Team): Promise<void> => {
  const by = { by: { token: ada.token } };
  await desk.success('listWorkspacePermissions', by);
  const code = 'manage-datasets';
  const body = {
    workspacePermissionsId: code,
    workspacePermissionsCode: code,
    userId: ben.id,
    workspaceId,
  };
  const { id: given } = await desk.success('createWorkspacePermissionAssignment', { ...by, body });
  await desk.error('createWorkspacePermissionAssignment', { by: { token: ben.token }, body });
  await desk.success('listWorkspacePermissionAssignments', by);
  await desk.success('getWorkspacePermissionAssignment', { ...by, ...id(given) });
  await desk.success('deleteWorkspacePermissionAssignment', { ...by, ...id(given) });
};

/** Attributes, groups and permissions. */
export const tellOfAccess = async (desk: CallDesk, team: Team): Promise<Access> => {
  await giveAttributes(desk, team);
  const access = await formGroups(desk, team);
  await givePermissions(desk, team);
  await desk.error('getGroupMembership', { by: { token: team.ada.token }, ...id(unknownId) });
  return access;
};

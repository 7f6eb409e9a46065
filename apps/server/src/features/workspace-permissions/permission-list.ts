import type { PermissionCode, WorkspacePermission } from '@redoubt/contract';

const texts: Readonly<Record<PermissionCode, readonly [name: string, description: string]>> = {
  'manage-users': [
    'Manage users',
    'Add, invite, disable and remove people who are no admins, and give the permissions that one holds.',
  ],
  'manage-groups': ['Manage groups', 'See and change all groups and who is in them.'],
  'manage-attributes': ['Manage attributes', 'See and change all attributes, and give them to others.'],
  'manage-datasets': [
    'Manage datasets',
    'Manage every dataset. Records stay hidden whose labels one does not satisfy.',
  ],
  'manage-applications': ['Manage applications', 'Make, change and remove applications.'],
  'manage-api-keys': ['Manage API keys', 'See and revoke the API keys of everybody.'],
  'manage-audit-log': [
    'Manage the audit log',
    'See the audit log of the workspace and say how long it is kept.',
  ],
  'manage-identity-providers': [
    'Manage identity providers',
    'Say which providers of single sign-on people may use.',
  ],
  'manage-billing': ['Manage billing', 'See and change the subscription of the workspace.'],
};

/** Returns the permission with this code. Its id is the code, so that ids are the same in every workspace. */
export const permissionOf = (code: PermissionCode): WorkspacePermission => {
  const [name, description] = texts[code];
  return { id: code, name, code, description };
};

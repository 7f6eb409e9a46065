import { Type, type Static } from 'typebox';

/** The workspace permissions. Each lets a member manage one part of the workspace. */
export const permissionCodes = [
  'manage-users',
  'manage-groups',
  'manage-attributes',
  'manage-datasets',
  'manage-applications',
  'manage-api-keys',
  'manage-audit-log',
  'manage-identity-providers',
  'manage-billing',
] as const;

export const PermissionCode = Type.Enum([...permissionCodes]);
export type PermissionCode = Static<typeof PermissionCode>;

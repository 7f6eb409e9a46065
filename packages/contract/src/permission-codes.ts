import { Type, type Static } from 'typebox';

/** What the holder of a workspace permission may do beside what every member may. */
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

import { permissionCodes, type PermissionCode } from '@redoubt/contract';
import { sql, type RawBuilder } from 'kysely';

/**
 * Selects the permissions of each row's person as one text, which `parsePermissionCodes` reads.
 * @param workspaceUid the column of the workspace
 * @param accountId the column of the account
 */
export const selectPermissionCodes = (workspaceUid: string, accountId: string): RawBuilder<string | null> =>
  sql<string | null>`(select string_agg(held.code, ' ') from permission_assignments held
    where held.workspace_uid = ${sql.ref(workspaceUid)} and held.account_id = ${sql.ref(accountId)})`;

/** Ignores codes that this version does not know. */
export const parsePermissionCodes = (text: string | null): ReadonlySet<PermissionCode> => {
  const held = new Set(text?.split(' '));
  return new Set(permissionCodes.filter((code) => held.has(code)));
};

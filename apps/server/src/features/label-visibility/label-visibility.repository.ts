import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** The attributes of each person who may read the dataset. */
export const listReaders = async (
  db: Db,
  workspaceUid: string,
  datasetId: string,
): Promise<ReadonlySet<string>[]> => {
  const { rows } = await sql<{ tokens: string[] }>`
    with recursive granted (group_id) as (
      select group_id from dataset_permissions
      where workspace_uid = ${workspaceUid} and dataset_id = ${datasetId} and action in ('read', 'manage')
      union
      select child.child_group_id from group_memberships child
      join granted on granted.group_id = child.group_id
      where child.workspace_uid = ${workspaceUid} and child.child_group_id is not null
    )
    select coalesce((
      select json_agg(attributes.token) from attribute_assignments held
      join attributes on attributes.id = held.attribute_id
      where held.workspace_uid = ${workspaceUid} and held.account_id = reader.account_id
    ), '[]'::json) as tokens
    from memberships reader
    where reader.workspace_uid = ${workspaceUid} and not reader.disabled and (
      reader.role = 'admin'
      or exists (select from datasets where id = ${datasetId} and created_by = reader.account_id)
      or exists (select from permission_assignments assigned where assigned.workspace_uid = ${workspaceUid}
        and assigned.account_id = reader.account_id and assigned.code = 'manage-datasets')
      or exists (select from group_memberships belongs join granted on granted.group_id = belongs.group_id
        where belongs.workspace_uid = ${workspaceUid} and belongs.account_id = reader.account_id)
    )`.execute(db);
  return rows.map(({ tokens }) => new Set(tokens));
};

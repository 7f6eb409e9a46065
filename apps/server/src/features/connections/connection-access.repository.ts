import { sql, type Selectable } from 'kysely';
import { hasRightsOnAllDatasets } from '../../platform/auth/access.ts';
import { hasOwnDatasets, type Member } from '../../platform/auth/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import type { ConnectionTable } from '../../platform/db/tables/connections.ts';
import { groupSubjectOf, selectMemberGroups } from '../groups/index.ts';

/** Rights as bits. Manage always comes with use. */
export const connectionBits = { use: 1, manage: 2 } as const;
const allBits = connectionBits.use | connectionBits.manage;

export interface ConnectionAccessRow {
  connection: Selectable<ConnectionTable>;
  bits: number;
}

/** SQL for the bits that grants to the actor's groups give on the connection of each row of `connections`. */
const grantedTo = (db: Db, actor: Member) => sql<number>`(
    select coalesce(bit_or(case action when 'use' then ${connectionBits.use}::integer
      else ${allBits}::integer end), 0)
    from connection_permissions
    where connection_permissions.connection_id = connections.id
      and connection_permissions.group_id in ${selectMemberGroups(db, groupSubjectOf(actor))}
  )`;

/**
 * SQL for the actor's bits, by the rules of datasets: workspace admins, holders of manage-datasets and the creator have
 * all of them, and a key has only the grants to its own groups. A program that is limited to some datasets has none.
 */
export const selectConnectionBits = (db: Db, actor: Member) => {
  if (actor.scope?.datasets !== undefined) return sql<number>`0`;
  if (!hasOwnDatasets(actor)) return grantedTo(db, actor);
  if (hasRightsOnAllDatasets(actor)) return sql<number>`${allBits}::integer`;
  return sql<number>`case when connections.created_by = ${actor.accountId} then ${allBits}::integer
    else ${grantedTo(db, actor)} end`;
};

export const connectionsVisibleTo = (db: Db, actor: Member) =>
  db
    .selectFrom('connections')
    .where('connections.workspace_uid', '=', actor.workspace.uniqueId)
    .where(selectConnectionBits(db, actor), '>', 0)
    .selectAll('connections')
    .select(selectConnectionBits(db, actor).as('bits'));

export const splitBits = <Row extends { bits: number }>({ bits, ...connection }: Row) => ({
  connection,
  bits,
});

export interface ConnectionAccessRepository {
  /** Returns the connection with the actor's bits; undefined if it does not exist or the actor has none. */
  find(actor: Member, id: string): Promise<ConnectionAccessRow | undefined>;
}

/** Reads rights anew for every request, so that a revoked grant has no effect from the next request on. */
export const createConnectionAccessRepository = (db: Db): ConnectionAccessRepository => ({
  find: async (actor, id) => {
    const row = await connectionsVisibleTo(db, actor).where('connections.id', '=', id).executeTakeFirst();
    return row && splitBits(row);
  },
});

import type { CustomIdentityProvider, ListQuery, ProviderType } from '@redoubt/contract';
import { sql } from 'kysely';
import { canSeeAllObjects } from '../../platform/auth/access.ts';
import type { Member, WorkspaceContext } from '../../platform/auth/actor.ts';
import { inTransaction, type Db } from '../../platform/db/database.ts';
import { readPage, type Page } from '../../platform/db/list.ts';
import type { ProviderConfig } from './provider-config.ts';

export interface IdentityProviderRepository {
  list(actor: Member, list: ListQuery): Promise<Page<CustomIdentityProvider>>;
  /** Returns the provider if the actor manages the identity providers of its workspace. */
  find(actor: Member, id: string): Promise<CustomIdentityProvider | undefined>;
  /** Like `find`, and locks the provider until the end of the transaction. */
  lock(actor: Member, id: string): Promise<CustomIdentityProvider | undefined>;
  /** @throws a unique violation if the workspace already has a provider of that type */
  create(provider: {
    id: string;
    workspaceUid: string;
    providerType: ProviderType;
    config: ProviderConfig;
    sealedSecret: string;
    now: Date;
  }): Promise<void>;
  /** @param endsLinks unlinks all accounts from the provider and ends the sessions that it opened */
  update(
    workspaceUid: string,
    id: string,
    change: { config: ProviderConfig; sealedSecret: string | undefined; now: Date; endsLinks: boolean },
  ): Promise<void>;
  remove(workspaceUid: string, id: string): Promise<void>;
}

const columnsOf = (workspace: WorkspaceContext) => ({
  id: sql.ref<string>('identity_providers.id'),
  workspaceId: sql<string>`${workspace.slug}::text`,
  providerType: sql.ref<ProviderType>('identity_providers.provider_type'),
});

const visibleTo = (db: Db, actor: Member) => {
  const columns = columnsOf(actor.workspace);
  return db
    .selectFrom('identity_providers')
    .where('workspace_uid', '=', actor.workspace.uniqueId)
    .where(sql<boolean>`${canSeeAllObjects(actor, 'listCustomIdentityProviders')}::boolean`)
    .select([
      columns.id.as('id'),
      columns.workspaceId.as('workspaceId'),
      columns.providerType.as('providerType'),
      'identity_providers.config',
    ]);
};

const toProvider = <Row extends { config: string }>(row: Row) => ({
  ...row,
  config: JSON.parse(row.config) as ProviderConfig,
});

export const createIdentityProviderRepository = (db: Db): IdentityProviderRepository => ({
  list: async (actor, list) => {
    const columns = columnsOf(actor.workspace);
    const page = await readPage(visibleTo(db, actor), list, columns, columns.id);
    return { ...page, data: page.data.map(toProvider) };
  },
  find: async (actor, id) => {
    const row = await visibleTo(db, actor).where('identity_providers.id', '=', id).executeTakeFirst();
    return row && toProvider(row);
  },
  lock: async (actor, id) => {
    const row = await visibleTo(db, actor)
      .where('identity_providers.id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return row && toProvider(row);
  },
  create: async ({ id, workspaceUid, providerType, config, sealedSecret, now }) => {
    await db
      .insertInto('identity_providers')
      .values({
        id,
        workspace_uid: workspaceUid,
        provider_type: providerType,
        config: JSON.stringify(config),
        secret: sealedSecret,
        created_at: now,
        updated_at: now,
      })
      .execute();
  },
  update: (workspaceUid, id, { config, sealedSecret, now, endsLinks }) =>
    inTransaction(db, async (trx) => {
      await trx
        .updateTable('identity_providers')
        .set((row) => ({
          config: JSON.stringify(config),
          secret: sealedSecret ?? row.ref('secret'),
          updated_at: now,
        }))
        .where('workspace_uid', '=', workspaceUid)
        .where('id', '=', id)
        .execute();
      if (endsLinks) await trx.deleteFrom('account_identities').where('provider_id', '=', id).execute();
    }),
  remove: async (workspaceUid, id) => {
    await db
      .deleteFrom('identity_providers')
      .where('workspace_uid', '=', workspaceUid)
      .where('id', '=', id)
      .execute();
  },
});

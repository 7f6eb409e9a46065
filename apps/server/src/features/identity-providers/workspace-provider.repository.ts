import type { ProviderType } from '@redoubt/contract';
import type { Db } from '../../platform/db/database.ts';
import { sealedLocation, type SecretBox } from '../../platform/secrets/index.ts';
import type { ProviderConfig } from './provider-config.ts';

/** Where the secret of a provider is stored; the secret can be unsealed only with the same location. */
export const providerSecretLocation = (id: string): string =>
  sealedLocation('identity_providers', 'secret', id);

/** A provider of a workspace with its secret. Only for signing in. */
export interface WorkspaceProvider {
  id: string;
  providerType: ProviderType;
  workspaceUid: string;
  config: ProviderConfig;
  secret: string;
}

/** @param workspaceId the slug of the workspace */
export type FindWorkspaceProvider = (
  providerType: string,
  workspaceId: string,
) => Promise<WorkspaceProvider | undefined>;

export const createFindWorkspaceProvider =
  (db: Db, secrets: SecretBox): FindWorkspaceProvider =>
  async (providerType, workspaceId) => {
    const row = await db
      .selectFrom('identity_providers')
      .innerJoin('workspaces', 'workspaces.unique_id', 'identity_providers.workspace_uid')
      .where('workspaces.slug', '=', workspaceId)
      .where('identity_providers.provider_type', '=', providerType as ProviderType)
      .select([
        'identity_providers.id',
        'identity_providers.provider_type as providerType',
        'identity_providers.workspace_uid as workspaceUid',
        'identity_providers.config',
        'identity_providers.secret',
      ])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      ...row,
      config: JSON.parse(row.config) as ProviderConfig,
      secret: secrets.open(row.secret, providerSecretLocation(row.id)),
    };
  };

/**
 * Lists the providers of a workspace, without their secrets. An unknown workspace has none, and takes as long as a
 * known one.
 * @param workspaceId the slug of the workspace
 */
export type ListProvidersOfWorkspace = (
  workspaceId: string,
) => Promise<Pick<WorkspaceProvider, 'config' | 'providerType'>[]>;

export const createListProvidersOfWorkspace =
  (db: Db): ListProvidersOfWorkspace =>
  async (workspaceId) => {
    const rows = await db
      .selectFrom('identity_providers')
      .innerJoin('workspaces', 'workspaces.unique_id', 'identity_providers.workspace_uid')
      .where('workspaces.slug', '=', workspaceId)
      .select(['identity_providers.provider_type as providerType', 'identity_providers.config'])
      .execute();
    return rows.map((row) => ({ ...row, config: JSON.parse(row.config) as ProviderConfig }));
  };

/** Lists the configurations of the providers of all workspaces. */
export type ListWorkspaceProviders = () => Promise<
  Pick<WorkspaceProvider, 'config' | 'id' | 'workspaceUid'>[]
>;

export const createListWorkspaceProviders =
  (db: Db): ListWorkspaceProviders =>
  async () => {
    const rows = await db
      .selectFrom('identity_providers')
      .select(['id', 'workspace_uid as workspaceUid', 'config'])
      .orderBy('id')
      .execute();
    return rows.map((row) => ({ ...row, config: JSON.parse(row.config) as ProviderConfig }));
  };

import type {
  Connection,
  ConnectionAllowed,
  ConnectionCreate,
  ConnectionPatch,
  ConnectionTest,
  ListQuery,
} from '@redoubt/contract';
import { notFound } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { requireOwnWorkspace } from '../../platform/auth/guards.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import { satisfiesMinimum, type Sources } from '../ingest/index.ts';
import { toAccessible, type AccessibleConnection, type RequireConnection } from './connection-access.ts';
import type { ConnectionChange, ConnectionRepository } from './connection.repository.ts';
import { ensureMinimumLabel, parseMinimumLabel, requireLabelChange } from './minimum-label.ts';
import { describeConnection, openInfo, refuseNewOrigins, sealInfo } from './stored-info.ts';
import type { TestSource } from './test-source.ts';

export interface ConnectionService {
  list(actor: Member, list: ListQuery): Promise<Page<Connection>>;
  get(actor: Member, id: string): Promise<Connection>;
  create(actor: Member, body: ConnectionCreate): Promise<Connection>;
  patch(actor: Member, id: string, body: ConnectionPatch): Promise<Connection>;
  remove(actor: Member, id: string): Promise<Connection>;
  test(actor: Member, id: string, disconnected: AbortSignal): Promise<ConnectionTest>;
}

/** @param action what the actor did, as in `created the connection "Warehouse"` */
export const eventOf = (
  action: string,
  { id, name, type }: Pick<Connection, 'id' | 'name' | 'type'>,
  more: AuditEvent['details'] = {},
): AuditEvent => ({
  type: 'WorkspaceManagement',
  description: `${action} the connection ${JSON.stringify(name)}`,
  details: { connectionId: id, connectionType: type, ...more },
});

export const allowedOf = ({ allowed }: { allowed: string | null }): ConnectionAllowed | null =>
  allowed === null ? null : (JSON.parse(allowed) as ConnectionAllowed);

const textOf = (allowed: ConnectionAllowed | null): string | null =>
  allowed === null ? null : JSON.stringify(allowed);

/** @param tokens the attributes of the actor: the minimum label is shown to managers and to those who satisfy it */
const toConnection = (
  { workspace }: Member,
  { connection, rights }: AccessibleConnection,
  tokens: ReadonlySet<string>,
): Connection => {
  const { minimum_label: label } = connection;
  const isShown = label !== null && (rights.manage || satisfiesMinimum(label, tokens));
  return {
    id: connection.id,
    name: connection.name,
    type: connection.type,
    workspaceId: workspace.slug,
    userId: connection.created_by,
    target: JSON.parse(connection.target) as Record<string, unknown>,
    allowed: allowedOf(connection),
    minimumLabel: isShown ? label : null,
    testedAt: connection.tested_at?.toISOString() ?? null,
    createdAt: connection.created_at.toISOString(),
    updatedAt: connection.updated_at.toISOString(),
    currentUserPermissions: rights,
  };
};

export const createConnectionService = ({
  connections,
  audited,
  requireConnection,
  held,
  sources,
  testSource,
  secrets,
  ids,
  clock,
}: {
  connections: Pick<ConnectionRepository, 'list'>;
  audited: AuditedChange<ConnectionRepository>;
  requireConnection: RequireConnection;
  held: Pick<HeldAttributes, 'ensureTokens' | 'heldTokens'>;
  sources: Pick<Sources, 'stored'>;
  testSource: TestSource;
  secrets: SecretBox;
} & Pick<Runtime, 'clock' | 'ids'>): ConnectionService => {
  const show = async (actor: Member, found: AccessibleConnection): Promise<Connection> =>
    toConnection(actor, found, new Set(await held.heldTokens(actor)));

  /** @throws RedoubtError 400 or 403 for a change that the actor may not make */
  const changeOf = (
    row: AccessibleConnection['connection'],
    { name, connectionInfo, allowed, minimumLabel }: ConnectionPatch,
    tokens: ReadonlySet<string>,
  ): ConnectionChange => {
    const { id, type } = row;
    const nowAllowed = allowed === undefined ? allowedOf(row) : allowed;
    const info = connectionInfo ?? openInfo(secrets, id, row.sealed_info);
    const target = describeConnection(sources, type, info, nowAllowed);
    if (connectionInfo === undefined) refuseNewOrigins(sources.stored(type), allowedOf(row), nowAllowed);
    const label = minimumLabel === undefined ? row.minimum_label : parseMinimumLabel(minimumLabel);
    requireLabelChange(row.minimum_label, label, tokens);
    const isSame = connectionInfo === undefined && textOf(nowAllowed) === row.allowed;
    return {
      name: name ?? row.name,
      target: JSON.stringify(target),
      sealed_info: connectionInfo === undefined ? row.sealed_info : sealInfo(secrets, id, connectionInfo),
      allowed: textOf(nowAllowed),
      minimum_label: label,
      tested_at: isSame ? row.tested_at : null,
      updated_at: clock.now(),
    };
  };

  return {
    list: async (actor, list) => {
      const page = await connections.list(actor, list);
      const tokens = new Set(await held.heldTokens(actor));
      return { ...page, data: page.data.map((row) => toConnection(actor, toAccessible(row), tokens)) };
    },
    get: async (actor, id) => show(actor, await requireConnection(actor, id, 'getConnection')),
    create: async (
      actor,
      { workspaceId, name, type, connectionInfo, allowed = null, minimumLabel = null },
    ) => {
      requireOwnWorkspace(actor, workspaceId);
      const target = describeConnection(sources, type, connectionInfo, allowed);
      const label = parseMinimumLabel(minimumLabel);
      await ensureMinimumLabel(held, actor, label, null);
      const [id, now] = [ids.uuid(), clock.now()];
      const connection = {
        id,
        workspace_uid: actor.workspace.uniqueId,
        name,
        type,
        target: JSON.stringify(target),
        sealed_info: sealInfo(secrets, id, connectionInfo),
        allowed: textOf(allowed),
        minimum_label: label,
        tested_at: null,
        created_by: actor.accountId,
        created_at: now,
        updated_at: now,
      };
      await audited(actor, eventOf('created', connection), (repository) => repository.create(connection));
      return show(actor, { connection, rights: { use: true, manage: true } });
    },
    patch: async (actor, id, body) => {
      const found = await requireConnection(actor, id, 'patchConnection');
      const tokens = new Set(await held.heldTokens(actor));
      const present = found.connection.minimum_label;
      if (body.minimumLabel !== undefined) {
        const parsed = parseMinimumLabel(body.minimumLabel);
        // Before attributes are created for a label that the actor may not set.
        requireLabelChange(present, parsed, tokens);
        await ensureMinimumLabel(held, actor, parsed, present);
      }
      const changed = await audited(
        actor,
        (row: AccessibleConnection['connection']) => eventOf('changed', row),
        async (repository): Promise<AccessibleConnection['connection']> => {
          // Another request may have changed the connection since its rights were checked.
          const row = await repository.lock(actor.workspace.uniqueId, id);
          if (row === undefined) throw notFound('connection', id);
          const change = changeOf(row, body, tokens);
          await repository.update(actor.workspace.uniqueId, id, change);
          return { ...row, ...change };
        },
      );
      return toConnection(actor, { ...found, connection: changed }, tokens);
    },
    remove: async (actor, id) => {
      const found = await requireConnection(actor, id, 'deleteConnection');
      await audited(actor, eventOf('deleted', found.connection), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return show(actor, found);
    },
    test: async (actor, id, disconnected) => {
      const { connection } = await requireConnection(actor, id, 'testConnection');
      const info = openInfo(secrets, id, connection.sealed_info);
      const result = await testSource(actor, connection.type, info, allowedOf(connection), disconnected);
      const outcome = result.succeeded ? 'succeeded' : 'failed';
      await audited(actor, eventOf('tested', connection, { outcome }), async (repository) => {
        if (result.succeeded) await repository.setTested(connection, clock.now());
      });
      return result;
    },
  };
};

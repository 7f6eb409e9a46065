import type { ApiKey, ApiKeyCreate, ApiKeyPatch, IssuedApiKey, ListQuery } from '@redoubt/contract';
import { describeValue, forbidden, invalidField, notFound } from '@redoubt/errors';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { refuseChanges, requireOwnUserId, requireOwnWorkspace } from '../../platform/auth/guards.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { ApiKeyRepository, ApiKeyRow } from './api-key.repository.ts';
import type { GrantableScopeRepository } from './grantable-scope.repository.ts';
import type { GrantableScope } from './grantable-scope.ts';
import { generateApiKey } from './generate-api-key.ts';

export interface ApiKeyService {
  list(actor: Member, list: ListQuery): Promise<Page<ApiKey>>;
  get(actor: Member, id: string): Promise<ApiKey>;
  /** Returns the key itself, which cannot be read again: only its hash is stored. */
  create(actor: Member, body: ApiKeyCreate): Promise<IssuedApiKey>;
  patch(actor: Member, id: string, body: ApiKeyPatch): Promise<ApiKey>;
  remove(actor: Member, id: string): Promise<ApiKey>;
}

const sameNames = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());

/** Key managers can revoke the keys of other people but not change them. */
const rejectChangesOfOthers = (key: ApiKey, { groupNames, attributeNames, ...sent }: ApiKeyPatch): void => {
  const { name, description, expirationAt } = key;
  refuseChanges({ name, description, expirationAt }, sent);
  for (const [field, before, after] of [
    ['groupNames', key.groupNames, groupNames],
    ['attributeNames', key.attributeNames, attributeNames],
  ] as const) {
    if (after !== undefined && !sameNames(before, after)) {
      throw forbidden(
        `${field} can be changed by the owner of the key alone. Leave it out. To end the key, send revoked: true.`,
      );
    }
  }
};

/** Leaves out groups and attributes, because they may be hidden from readers of the event. */
const eventOf = (change: string, { id, keyId, name }: Pick<ApiKey, 'id' | 'keyId' | 'name'>): AuditEvent => ({
  type: 'UserManagement',
  description: `${change} the API key "${name}"`,
  details: { apiKeyId: id, beginning: keyId, name },
});

const rejectReactivation = ({ revoked }: ApiKey, sent: boolean | undefined): void => {
  if (revoked && sent === false) {
    throw forbidden(
      'revoked must be true, because a revoked key stays revoked, got false. Create another key.',
    );
  }
};

export const createApiKeyService = ({
  apiKeys,
  audited,
  names,
  grantable,
  runtime: { clock, ids, random },
}: {
  apiKeys: Pick<ApiKeyRepository, 'find' | 'list'>;
  audited: AuditedChange<ApiKeyRepository>;
  names: Pick<GrantableScopeRepository, 'attributeNames' | 'groupNames'>;
  grantable: GrantableScope;
  runtime: Runtime;
}): ApiKeyService => {
  const complete = async (reader: Member, rows: readonly ApiKeyRow[]): Promise<ApiKey[]> => {
    const keyIds = rows.map(({ id }) => id);
    const groups = await names.groupNames(reader, keyIds);
    const attributes = await names.attributeNames(reader, keyIds);
    return rows.map((row) => ({
      ...row,
      groupNames: groups.get(row.id) ?? [],
      attributeNames: attributes.get(row.id) ?? [],
    }));
  };
  const get = async (actor: Member, id: string): Promise<ApiKey> => {
    const row = await apiKeys.find(actor, id);
    const [key] = row === undefined ? [] : await complete(actor, [row]);
    if (key === undefined) throw notFound('API key', id);
    return key;
  };
  /** @throws BadRequestError 400 for a time in the past */
  const parseExpiry = (sent: string | null): Date | null => {
    if (sent === null) return null;
    const end = new Date(sent);
    if (!(end > clock.now())) {
      throw invalidField({
        field: 'expirationAt',
        expected: 'in the future',
        got: describeValue(sent),
        advice: 'Send a later time, or revoke the key.',
      });
    }
    return end;
  };

  return {
    list: async (actor, list) => {
      const page = await apiKeys.list(actor, list);
      return { ...page, data: await complete(actor, page.data) };
    },
    get,
    create: async (actor, body) => {
      requireOwnWorkspace(actor, body.workspaceId);
      requireOwnUserId(actor, body.userId);
      requireOwnUserId(actor, body.createdBy);
      const expiresAt = parseExpiry(body.expirationAt ?? null);
      const groupIds = await grantable.groupIds(actor, body.groupNames);
      const attributeIds = await grantable.attributeIds(actor, body.attributeNames);
      const id = ids.uuid();
      const { key, keyId, keyHash } = generateApiKey(random);
      const { uniqueId: workspaceUid } = actor.workspace;
      const { accountId } = actor;
      const { name } = body;
      const description = body.description ?? '';
      const created = { id, workspaceUid, accountId, keyId, keyHash, name, description, expiresAt };
      await audited(actor, eventOf('created', created), (repository) =>
        repository.create({ ...created, groupIds, attributeIds }, clock.now()),
      );
      return { ...(await get(actor, id)), key };
    },
    patch: async (actor, id, body) => {
      const key = await get(actor, id);
      const { keyId, workspaceId, createdBy, userId, createdAt, updatedAt, deletedAt } = key;
      refuseChanges({ id, keyId, workspaceId, createdBy, userId, createdAt, updatedAt, deletedAt }, body);
      rejectReactivation(key, body.revoked);
      const isOwn = userId === actor.accountId;
      if (!isOwn) rejectChangesOfOthers(key, body);
      const { name, description, revoked, expirationAt, groupNames, attributeNames } = body;
      const isOtherEnd = expirationAt !== undefined && expirationAt !== key.expirationAt;
      const own = {
        name,
        description,
        expiresAt: isOtherEnd ? parseExpiry(expirationAt) : undefined,
        groupIds: isOwn && groupNames ? await grantable.groupIds(actor, groupNames) : undefined,
        attributeIds:
          isOwn && attributeNames ? await grantable.attributeIds(actor, attributeNames) : undefined,
      };
      const change = revoked === true && !key.revoked ? 'revoked' : 'changed';
      await audited(actor, eventOf(change, key), (repository) =>
        repository.change(actor.workspace.uniqueId, id, { ...own, revoked }, clock.now()),
      );
      return get(actor, id);
    },
    remove: async (actor, id) => {
      const key = await get(actor, id);
      const now = clock.now();
      await audited(actor, eventOf('deleted', key), (repository) =>
        repository.remove(actor.workspace.uniqueId, id, now),
      );
      return { ...key, updatedAt: now.toISOString(), deletedAt: now.toISOString() };
    },
  };
};

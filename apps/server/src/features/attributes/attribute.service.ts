import type { Attribute, AttributeCreate, AttributePatch, ListQuery } from '@redoubt/contract';
import { badField, conflict, describeValue, invalidField, notFound } from '@redoubt/errors';
import { LabelSyntaxError, normaliseAttribute } from '@redoubt/labels';
import type { AuditEvent, AuditedChange } from '../../platform/audit/index.ts';
import { requireCall } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { refuseChanges, requireOwnWorkspace } from '../../platform/auth/guards.ts';
import { isUniqueViolation } from '../../platform/db/database.ts';
import type { Page } from '../../platform/db/list.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { AttributeRepository } from './attribute.repository.ts';

export interface AttributeService {
  list(actor: Member, list: ListQuery): Promise<Page<Attribute>>;
  get(actor: Member, id: string): Promise<Attribute>;
  create(actor: Member, body: AttributeCreate): Promise<Attribute>;
  patch(actor: Member, id: string, body: AttributePatch): Promise<Attribute>;
  remove(actor: Member, id: string): Promise<Attribute>;
}

const parseToken = (sent: string): string => {
  try {
    return normaliseAttribute(sent);
  } catch (error) {
    throw error instanceof LabelSyntaxError ? badField('token', error.predicate) : error;
  }
};

/** A token never changes, because existing labels refer to it and would change their meaning. */
const rejectOtherToken = (attribute: Attribute, sent: string | undefined): void => {
  if (sent !== undefined && parseToken(sent) !== attribute.token) {
    throw invalidField({
      field: 'token',
      expected: `"${attribute.token}", because existing labels refer to it`,
      got: describeValue(sent),
      advice: 'Leave it out, or create another attribute.',
    });
  }
};

const eventOf = (
  change: string,
  { id, name, token }: Pick<Attribute, 'id' | 'name' | 'token'>,
): AuditEvent => ({
  type: 'AttributeManagement',
  description: `${change} the attribute "${token}"`,
  details: { attributeId: id, name, token },
});

export const createAttributeService = ({
  attributes,
  audited,
  ids,
  clock,
}: {
  attributes: Pick<AttributeRepository, 'find' | 'list'>;
  audited: AuditedChange<AttributeRepository>;
} & Pick<Runtime, 'ids' | 'clock'>): AttributeService => {
  const get = async (actor: Member, id: string): Promise<Attribute> => {
    const attribute = await attributes.find(actor, id);
    if (attribute === undefined) throw notFound('attribute', id);
    return attribute;
  };
  return {
    list: (actor, list) => attributes.list(actor, list),
    get,
    create: async (actor, body) => {
      requireOwnWorkspace(actor, body.workspaceId);
      requireCall(actor, 'createAttribute', 'create attributes');
      const attribute = {
        id: ids.uuid(),
        name: body.name,
        token: parseToken(body.token),
        description: body.description ?? '',
      };
      try {
        await audited(actor, eventOf('created', attribute), (repository) =>
          repository.create(attribute, actor.workspace.uniqueId, clock.now()),
        );
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw conflict(
          `token: "${attribute.token}" is the token of another attribute of this workspace. Send another token, or use that attribute.`,
        );
      }
      return { ...attribute, workspaceId: actor.workspace.slug };
    },
    patch: async (actor, id, body) => {
      const attribute = await get(actor, id);
      requireCall(actor, 'patchAttribute', 'change attributes');
      refuseChanges({ id: attribute.id, workspaceId: attribute.workspaceId }, body);
      rejectOtherToken(attribute, body.token);
      const changed = { ...attribute, name: body.name ?? attribute.name };
      await audited(actor, eventOf('changed', changed), (repository) =>
        repository.update(actor.workspace.uniqueId, id, body),
      );
      return get(actor, id);
    },
    remove: async (actor, id) => {
      const attribute = await get(actor, id);
      requireCall(actor, 'deleteAttribute', 'delete attributes');
      await audited(actor, eventOf('deleted', attribute), (repository) =>
        repository.remove(actor.workspace.uniqueId, id),
      );
      return attribute;
    },
  };
};

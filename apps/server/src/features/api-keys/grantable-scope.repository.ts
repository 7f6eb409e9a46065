import type { Db } from '../../platform/db/database.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { visibleAttributes } from '../attributes/index.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { selectMemberGroups, groupSubjectOf, visibleGroups } from '../groups/index.ts';

/** A thing by the name that people use. */
export interface Named {
  id: string;
  name: string;
}

/** The groups and attributes of keys, and those that one may give to a key. */
export interface GrantableScopeRepository {
  /** The names of the groups of each key that the reader sees, in order. */
  groupNames(reader: Member, keyIds: readonly string[]): Promise<Map<string, string[]>>;
  /** The tokens of the attributes of each key that the reader sees, in order. */
  attributeNames(reader: Member, keyIds: readonly string[]): Promise<Map<string, string[]>>;
  /** Those with these names out of the groups that the person is in. */
  ownGroups(actor: Member, names: readonly string[]): Promise<Named[]>;
  /** The attributes of the workspace with these tokens. */
  attributes(workspaceUid: string, tokens: readonly string[]): Promise<Named[]>;
}

const namesByKey = (rows: readonly { keyId: string; name: string }[]): Map<string, string[]> => {
  const byKey = Map.groupBy(rows, ({ keyId }) => keyId);
  return new Map([...byKey].map(([keyId, named]) => [keyId, named.map(({ name }) => name).toSorted()]));
};

export const createGrantableScopeRepository = (db: Db): GrantableScopeRepository => ({
  groupNames: async (reader, keyIds) => {
    const seen = visibleGroups(db, reader).as('seen');
    const rows = await db
      .selectFrom('api_key_groups')
      .innerJoin(seen, 'seen.id', 'api_key_groups.group_id')
      .where('api_key_groups.api_key_id', 'in', textListSubquery(keyIds))
      .select(['api_key_groups.api_key_id as keyId', 'seen.name'])
      .execute();
    return namesByKey(rows);
  },
  attributeNames: async (reader, keyIds) => {
    const seen = visibleAttributes(db, reader).as('seen');
    const rows = await db
      .selectFrom('api_key_attributes')
      .innerJoin(seen, 'seen.id', 'api_key_attributes.attribute_id')
      .where('api_key_attributes.api_key_id', 'in', textListSubquery(keyIds))
      .select(['api_key_attributes.api_key_id as keyId', 'seen.token as name'])
      .execute();
    return namesByKey(rows);
  },
  ownGroups: (actor, names) =>
    db
      .selectFrom('groups')
      .where('groups.workspace_uid', '=', actor.workspace.uniqueId)
      .where('groups.id', 'in', selectMemberGroups(db, groupSubjectOf(actor)))
      .where('groups.name', 'in', textListSubquery(names))
      .select(['groups.id', 'groups.name'])
      .execute(),
  attributes: (workspaceUid, tokens) =>
    db
      .selectFrom('attributes')
      .where('workspace_uid', '=', workspaceUid)
      .where('token', 'in', textListSubquery(tokens))
      .select(['id', 'token as name'])
      .execute(),
});

import type { Db } from '../../platform/db/database.ts';
import type { Member } from '../../platform/auth/actor.ts';
import { visibleAttributes } from '../attributes/index.ts';
import { textListSubquery } from '../../platform/db/text-list-subquery.ts';
import { selectMemberGroups, groupSubjectOf, visibleGroups } from '../groups/index.ts';

/** An object with the name that people use for it. */
export interface Named {
  id: string;
  name: string;
}

/** The groups and attributes of keys, and those that people can give to a key. */
export interface GrantableScopeRepository {
  /** Returns the sorted names of the groups of each key, without those that are hidden from the reader. */
  groupNames(reader: Member, keyIds: readonly string[]): Promise<Map<string, string[]>>;
  /** Returns the sorted tokens of the attributes of each key, without those that are hidden from the reader. */
  attributeNames(reader: Member, keyIds: readonly string[]): Promise<Map<string, string[]>>;
  /** Returns those of the actor's groups that have one of these names. */
  ownGroups(actor: Member, names: readonly string[]): Promise<Named[]>;
  /** Returns the attributes of the workspace with these tokens. */
  attributes(workspaceUid: string, tokens: readonly string[]): Promise<Named[]>;
}

const namesByKey = (rows: readonly { keyId: string; name: string }[]): Map<string, string[]> => {
  const byKey = Map.groupBy(rows, ({ keyId }) => keyId);
  return new Map([...byKey].map(([keyId, named]) => [keyId, named.map(({ name }) => name).toSorted()]));
};

export const createGrantableScopeRepository = (db: Db): GrantableScopeRepository => ({
  groupNames: async (reader, keyIds) => {
    const visible = visibleGroups(db, reader).as('visible');
    const rows = await db
      .selectFrom('api_key_groups')
      .innerJoin(visible, 'visible.id', 'api_key_groups.group_id')
      .where('api_key_groups.api_key_id', 'in', textListSubquery(keyIds))
      .select(['api_key_groups.api_key_id as keyId', 'visible.name'])
      .execute();
    return namesByKey(rows);
  },
  attributeNames: async (reader, keyIds) => {
    const visible = visibleAttributes(db, reader).as('visible');
    const rows = await db
      .selectFrom('api_key_attributes')
      .innerJoin(visible, 'visible.id', 'api_key_attributes.attribute_id')
      .where('api_key_attributes.api_key_id', 'in', textListSubquery(keyIds))
      .select(['api_key_attributes.api_key_id as keyId', 'visible.token as name'])
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

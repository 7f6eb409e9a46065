import { badField, describeValue, forbidden, invalidField } from '@redoubt/errors';
import { LabelSyntaxError, normaliseAttribute } from '@redoubt/labels';
import { canCall } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { GrantableScopeRepository } from './grantable-scope.repository.ts';

/** Finds the groups and attributes that a person may give to one of their keys. */
export interface GrantableScope {
  /**
   * Returns the ids of the actor's groups with these names.
   * @throws BadRequestError 400 naming a group that the actor is not in, whether or not it exists
   */
  groupIds(actor: Member, names: readonly string[]): Promise<string[]>;
  /**
   * Returns the ids of the attributes with these tokens. For attribute managers, missing attributes are created.
   * @throws ForbiddenError 403 for other people, naming an attribute that they do not hold, whether or not it exists
   */
  attributeIds(actor: Member, names: readonly string[]): Promise<string[]>;
}

const parseToken = (sent: string): string => {
  try {
    return normaliseAttribute(sent);
  } catch (error) {
    throw error instanceof LabelSyntaxError ? badField('attributeNames', error.predicate) : error;
  }
};

export const createGrantableScope = ({
  repository,
  held,
}: {
  repository: Pick<GrantableScopeRepository, 'attributes' | 'ownGroups'>;
  held: Pick<HeldAttributes, 'createTokens' | 'heldTokens'>;
}): GrantableScope => ({
  groupIds: async (actor, names) => {
    const groups = await repository.ownGroups(actor, names);
    const found = new Set(groups.map(({ name }) => name));
    const missing = names.find((name) => !found.has(name));
    if (missing !== undefined) {
      throw invalidField({
        field: 'groupNames',
        expected: 'names of groups that you are in',
        got: describeValue(missing),
        advice: 'GET /groups lists them.',
      });
    }
    return groups.map(({ id }) => id);
  },

  attributeIds: async (actor, names) => {
    const tokens = [...new Set(names.map(parseToken))];
    const own = new Set(await held.heldTokens(actor));
    const notHeld = tokens.filter((token) => !own.has(token));
    if (notHeld.length > 0 && !canCall(actor, 'createAttribute')) {
      throw forbidden(
        `attributeNames: "${notHeld[0]}" is not an attribute that you hold. Send attributes that you hold, or ask an admin for it.`,
      );
    }
    await held.createTokens(actor.workspace.uniqueId, notHeld);
    return (await repository.attributes(actor.workspace.uniqueId, tokens)).map(({ id }) => id);
  },
});

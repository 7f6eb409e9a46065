import { badField, forbidden } from '@redoubt/errors';
import { LabelSyntaxError, normaliseAttribute } from '@redoubt/labels';
import { canCall } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import type { GrantableScopeRepository } from './grantable-scope.repository.ts';

/** Finds what somebody may give to a key of theirs. */
export interface GrantableScope {
  /**
   * The ids of the groups of these names that the actor is in.
   * @throws BadRequestError 400 naming one that is none of theirs, whether or not there is such a group
   */
  groupIds(actor: Member, names: readonly string[]): Promise<string[]>;
  /**
   * The ids of the attributes of these tokens. Those that there are not are made for who manages attributes.
   * @throws ForbiddenError 403 for others naming one that they do not hold, whether or not there is such an attribute
   */
  attributeIds(actor: Member, names: readonly string[]): Promise<string[]>;
}

const readToken = (sent: string): string => {
  try {
    return normaliseAttribute(sent);
  } catch (error) {
    throw error instanceof LabelSyntaxError ? badField('attributeNames', error.message) : error;
  }
};

export const createGrantableScope = ({
  reach,
  held,
}: {
  reach: Pick<GrantableScopeRepository, 'attributes' | 'ownGroups'>;
  held: Pick<HeldAttributes, 'createTokens' | 'heldTokens'>;
}): GrantableScope => ({
  groupIds: async (actor, names) => {
    const groups = await reach.ownGroups(actor, names);
    const found = new Set(groups.map(({ name }) => name));
    const missing = names.find((name) => !found.has(name));
    if (missing !== undefined) {
      throw badField(
        'groupNames',
        `"${missing}" is no group that you are in. Name groups that you are in; GET /groups lists them.`,
      );
    }
    return groups.map(({ id }) => id);
  },

  attributeIds: async (actor, names) => {
    const tokens = [...new Set(names.map(readToken))];
    const own = new Set(await held.heldTokens(actor));
    const foreign = tokens.filter((token) => !own.has(token));
    if (foreign.length > 0 && !canCall(actor, 'createAttribute')) {
      throw forbidden(
        `attributeNames: "${foreign[0]}" is no attribute that you hold. Name attributes that you hold, or ask an admin for it.`,
      );
    }
    await held.createTokens(actor.workspace.uniqueId, foreign);
    return (await reach.attributes(actor.workspace.uniqueId, tokens)).map(({ id }) => id);
  },
});

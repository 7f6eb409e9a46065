import { securityError } from '@redoubt/errors';
import { canSeeAllObjects } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { HeldAttributesRepository } from './held-attributes.repository.ts';

export interface HeldAttributes {
  /** Returns the tokens that the actor holds now, sorted, without those outside the scope of the credential. */
  heldTokens(actor: Member): Promise<string[]>;
  /**
   * Makes sure that a label may contain these tokens. If the workspace creates attributes on write, every missing one is
   * created, held by nobody. Otherwise a label may contain only tokens that the actor holds or may see.
   * @param tokens in canonical form
   * @throws SecurityError 400 naming the other tokens, with the same message whether or not such attributes exist
   */
  ensureTokens(actor: Member, tokens: readonly string[]): Promise<void>;
  /** Creates the missing attributes, without a check: for actors who may create attributes. */
  createTokens(workspaceUid: string, tokens: readonly string[]): Promise<void>;
}

/** An error message lists at most this many tokens. */
const maxListed = 5;

const formatTokens = (tokens: readonly { token: string }[]): string => {
  const named = tokens.slice(0, maxListed).map(({ token }) => `"${token}"`);
  return `${named.join(', ')}${tokens.length > maxListed ? ', …' : ''}`;
};

export const createHeldAttributes = ({
  repository,
  ids,
  clock,
}: { repository: HeldAttributesRepository } & Pick<Runtime, 'ids' | 'clock'>): HeldAttributes => {
  const heldTokens: HeldAttributes['heldTokens'] = async ({ workspace, accountId, scope }) => {
    const held = await repository.heldTokens(workspace.uniqueId, accountId);
    if (scope?.tokens === undefined) return held;
    const inScope = new Set(scope.tokens);
    return held.filter((token) => inScope.has(token));
  };

  return {
    heldTokens,
    ensureTokens: async (actor, tokens) => {
      const { accountId, workspace } = actor;
      const workspaceUid = workspace.uniqueId;
      // Takes ids and the time for every token, so that later ids and times do not disclose which tokens were known.
      const now = clock.now();
      const named = [...new Set(tokens)].map((token) => ({ id: ids.uuid(), token }));
      const held = new Set(await heldTokens(actor));
      const notHeld = named.filter(({ token }) => !held.has(token));
      if (notHeld.length === 0) return;
      const createsOnWrite = await repository.mayCreateOnWrite(workspaceUid);
      if (!createsOnWrite && !canSeeAllObjects(actor, 'getAttribute')) {
        throw securityError(
          `A label may name only attributes that you hold, because writes create no attributes in this workspace. You do not hold ${formatTokens(notHeld)}. Ask for the attribute, or ask a person who manages attributes to write this label.`,
        );
      }
      const known = await repository.knownTokens(
        { workspaceUid, accountId },
        notHeld.map(({ token }) => token),
      );
      const missing = notHeld.filter(({ token }) => !known.has(token));
      if (missing.length === 0) return;
      if (!createsOnWrite) {
        throw securityError(
          `A label may name only existing attributes, because writes create no attributes in this workspace. There is no attribute ${formatTokens(missing)}. Create it with POST /attributes, then write again.`,
        );
      }
      await repository.createMissing(workspaceUid, missing, now);
    },
    createTokens: async (workspaceUid, tokens) => {
      const named = [...new Set(tokens)].map((token) => ({ id: ids.uuid(), token }));
      await repository.createMissing(workspaceUid, named, clock.now());
    },
  };
};

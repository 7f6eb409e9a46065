import { securityError } from '@redoubt/errors';
import { canSeeAllObjects } from '../../platform/auth/access.ts';
import type { Member } from '../../platform/auth/actor.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { HeldAttributesRepository } from './held-attributes.repository.ts';

export interface HeldAttributes {
  /** The tokens that the actor holds at this moment, in order: no others than their credential is narrowed to. */
  heldTokens(actor: Member): Promise<string[]>;
  /**
   * Lets a label name these tokens. Makes an attribute, held by nobody, of each that has none, where the workspace makes some on
   * a write. Where it makes none, a label names only what the actor may know of.
   * @param tokens in their normal form
   * @throws SecurityError 400 naming tokens of which the actor may not know that there is an attribute, whether or not there is one
   */
  ensureTokens(actor: Member, tokens: readonly string[]): Promise<void>;
  /** The same for somebody who may make attributes. */
  createTokens(workspaceUid: string, tokens: readonly string[]): Promise<void>;
}

const maxNamed = 5;

/** Tokens as a message names them. */
const shown = (tokens: readonly { token: string }[]): string => {
  const named = tokens.slice(0, maxNamed).map(({ token }) => `"${token}"`);
  return `${named.join(', ')}${tokens.length > maxNamed ? ', …' : ''}`;
};

export const createHeldAttributes = ({
  repository,
  ids,
  clock,
}: { repository: HeldAttributesRepository } & Pick<Runtime, 'ids' | 'clock'>): HeldAttributes => {
  const heldTokens: HeldAttributes['heldTokens'] = async ({ workspace, accountId, narrowing }) => {
    const held = await repository.heldTokens(workspace.uniqueId, accountId);
    if (narrowing?.tokens === undefined) return held;
    const counted = new Set(narrowing.tokens);
    return held.filter((token) => counted.has(token));
  };

  return {
    heldTokens,
    ensureTokens: async (actor, tokens) => {
      const { accountId, workspace } = actor;
      const workspaceUid = workspace.uniqueId;
      // Ids and the time are taken whether or not they are known: what is taken next must not tell which of them were.
      const now = clock.now();
      const named = [...new Set(tokens)].map((token) => ({ id: ids.uuid(), token }));
      const held = new Set(await heldTokens(actor));
      const foreign = named.filter(({ token }) => !held.has(token));
      if (foreign.length === 0) return;
      const createsOnWrite = await repository.mayCreateOnWrite(workspaceUid);
      if (!createsOnWrite && !canSeeAllObjects(actor, 'getAttribute')) {
        throw securityError(
          `A label may name only attributes that you hold, as writes make no attributes in this workspace. You do not hold ${shown(foreign)}. Ask for the attribute, or ask somebody who manages attributes to write this label.`,
        );
      }
      const known = await repository.knownTokens(
        { workspaceUid, accountId },
        foreign.map(({ token }) => token),
      );
      const missing = foreign.filter(({ token }) => !known.has(token));
      if (missing.length === 0) return;
      if (!createsOnWrite) {
        throw securityError(
          `A label may name only attributes that there are, as writes make no attributes in this workspace. There is no attribute ${shown(missing)}. Create it with POST /attributes, then write again.`,
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

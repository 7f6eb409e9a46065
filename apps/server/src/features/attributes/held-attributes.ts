import { securityError } from '@redoubt/errors';
import type { Member } from '../../platform/auth/actor.ts';
import type { Runtime } from '../../platform/runtime.ts';
import type { HeldAttributesRepository } from './held-attributes.repository.ts';

/** Who names tokens, and where. */
interface Writer {
  accountId: string;
  workspace: { uniqueId: string };
}

export interface HeldAttributes {
  /** The tokens that the actor holds at this moment, in order: no others than their credential is narrowed to. */
  heldTokens(actor: Member): Promise<string[]>;
  /**
   * Makes an attribute, held by nobody, of each token that has none.
   * @param tokens in their normal form
   * @throws SecurityError 400 naming tokens without an attribute, where the workspace makes none on a write
   */
  ensureTokens(writer: Writer, tokens: readonly string[]): Promise<void>;
  /** The same for somebody who may make attributes. */
  createTokens(workspaceUid: string, tokens: readonly string[]): Promise<void>;
}

const maxNamed = 5;

export const createHeldAttributes = ({
  repository,
  ids,
  clock,
}: { repository: HeldAttributesRepository } & Pick<Runtime, 'ids' | 'clock'>): HeldAttributes => ({
  heldTokens: async ({ workspace, accountId, narrowing }) => {
    const held = await repository.heldTokens(workspace.uniqueId, accountId);
    if (narrowing?.tokens === undefined) return held;
    const counted = new Set(narrowing.tokens);
    return held.filter((token) => counted.has(token));
  },
  ensureTokens: async ({ accountId, workspace }, tokens) => {
    const workspaceUid = workspace.uniqueId;
    // Ids and the time are taken whether or not they are known: what is taken next must not tell which of them were.
    const now = clock.now();
    const named = [...new Set(tokens)].map((token) => ({ id: ids.uuid(), token }));
    const known = await repository.knownTokens({ workspaceUid, accountId }, tokens);
    const missing = named.filter(({ token }) => !known.has(token));
    if (missing.length === 0) return;
    if (!(await repository.mayCreateOnWrite(workspaceUid))) {
      const shown = missing.slice(0, maxNamed).map(({ token }) => `"${token}"`);
      throw securityError(
        `Labels name ${missing.length} attributes that this workspace does not have, and it makes none on a write: ${shown.join(', ')}${missing.length > maxNamed ? ', …' : ''}. Ask an admin to create them.`,
      );
    }
    await repository.createMissing(workspaceUid, missing, now);
  },
  createTokens: async (workspaceUid, tokens) => {
    const named = [...new Set(tokens)].map((token) => ({ id: ids.uuid(), token }));
    await repository.createMissing(workspaceUid, named, clock.now());
  },
});

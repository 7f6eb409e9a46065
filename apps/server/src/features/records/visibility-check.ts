import { forbidden, RedoubtError } from '@redoubt/errors';
import { includesVisibility, type VisibleLabels } from '@redoubt/labels';
import type { Member } from '../../platform/auth/actor.ts';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { Clock } from '../../platform/runtime.ts';

/** How old the knowledge of what a reader may see can be while an answer runs. */
const checkEveryMilliseconds = 1000;

/**
 * Passes the pieces of an answer on for as long as its reader may read it: it may run for minutes, and a right that is
 * taken away meanwhile ends it before its end, so that it is no whole answer.
 * @param since when it was looked up what they may read: a statement may have run for long before its first row
 */
export async function* whileAllowed(
  pieces: AsyncIterable<Uint8Array>,
  isAllowed: () => Promise<boolean>,
  clock: Clock,
  since: Date,
): AsyncGenerator<Uint8Array> {
  let checkedAt = since.getTime();
  const check = async (): Promise<void> => {
    const now = clock.now().getTime();
    if (now - checkedAt < checkEveryMilliseconds) return;
    if (!(await isAllowed())) throw forbidden('What you may read has changed while this answer was sent.');
    checkedAt = now;
  };
  for await (const piece of pieces) {
    await check();
    yield piece;
  }
  // The pieces of a small answer are kept until it is whole.
  await check();
}

/** What somebody sees of datasets, by their ids. */
export type VisibilitySnapshot = ReadonlyMap<string, VisibleLabels>;

/**
 * Whether the credential of the actor lives, and `look` shows them all that they saw before.
 * @param look what they see, as what they are now
 */
export const isStillVisible = async (
  again: ReauthenticateActor,
  actor: Member,
  before: VisibilitySnapshot,
  look: (actor: Member) => Promise<VisibilitySnapshot>,
): Promise<boolean> => {
  const same = await again(actor);
  if (same === undefined) return false;
  try {
    const now = await look(same);
    return [...before].every(([id, visible]) => {
      const seen = now.get(id);
      return seen !== undefined && includesVisibility(seen, visible);
    });
  } catch (error) {
    if (error instanceof RedoubtError) return false;
    throw error;
  }
};

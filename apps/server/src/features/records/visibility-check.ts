import { forbidden, RedoubtError } from '@redoubt/errors';
import type { VisibleLabels } from '@redoubt/labels';
import type { Member } from '../../platform/auth/actor.ts';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { Clock } from '../../platform/runtime.ts';
import { extendSeen, stillSees, type SeenStore, type SeenVisibility } from './seen-visibility.ts';

/** How old the resolved visibility may be while a response streams. */
const checkEveryMilliseconds = 1000;

/**
 * Passes the chunks of a response on while its reader may see them. A response may stream for minutes. If the reader
 * loses access meanwhile, the stream fails, so the client cannot mistake the response for a complete one.
 * @param since when the visibility was resolved, which may be long before the first row
 */
export async function* whileAllowed(
  chunks: AsyncIterable<Uint8Array>,
  isAllowed: () => Promise<boolean>,
  clock: Clock,
  since: Date,
): AsyncGenerator<Uint8Array> {
  let checkedAt = since.getTime();
  const check = async (): Promise<void> => {
    const now = clock.now().getTime();
    if (now - checkedAt < checkEveryMilliseconds) return;
    if (!(await isAllowed()))
      throw forbidden(
        'Your access to these records changed while the response was sent. Send the request again.',
      );
    checkedAt = now;
  };
  for await (const chunk of chunks) {
    await check();
    yield chunk;
  }
  // A small response is still buffered here, so this check protects all of it.
  await check();
}

/** What a reader may see of datasets, keyed by dataset id. */
export type VisibilitySnapshot = ReadonlyMap<string, VisibleLabels>;

export interface VisibilityCheckDeps {
  reauthenticate: ReauthenticateActor;
  store: SeenStore;
}

/**
 * Creates the check whether the actor's credential is still valid and they may still see all that they saw before.
 * @param before captured before the records were read
 * @param isStreaming whether records are still read while the response is sent
 * @param resolve resolves the present visibility of the re-authenticated actor
 */
export const createVisibilityCheck = (
  { reauthenticate, store }: VisibilityCheckDeps,
  actor: Member,
  before: readonly SeenVisibility[],
  isStreaming: boolean,
  resolve: (actor: Member) => Promise<VisibilitySnapshot>,
): (() => Promise<boolean>) => {
  const seen = [...before];
  return async () => {
    const same = await reauthenticate(actor);
    if (same === undefined) return false;
    try {
      const now = await resolve(same);
      for (const [index, one] of seen.entries()) {
        const visible = now.get(one.datasetId);
        if (visible === undefined || !(await stillSees(store, one, visible))) return false;
        if (isStreaming) seen[index] = await extendSeen(store, one, visible);
      }
      return true;
    } catch (error) {
      if (error instanceof RedoubtError) return false;
      throw error;
    }
  };
};

import { forbidden } from '@redoubt/errors';
import type { RecordStream } from '@redoubt/records';
import type { Clock } from '../../platform/runtime.ts';

/** How old the knowledge of what a reader may see can be while an answer runs. */
const checkEveryMilliseconds = 1000;

/**
 * Passes rows on for as long as their reader may read them: an answer may run for minutes, and a right that is taken
 * away meanwhile ends it in the middle, so that it is no whole JSON.
 * @param since when it was looked up what they may read: a statement may have run for long before its first row
 */
export async function* whileAllowed(
  rows: RecordStream,
  isAllowed: () => Promise<boolean>,
  clock: Clock,
  since: Date,
): AsyncGenerator<Uint8Array> {
  let checkedAt = since.getTime();
  for await (const piece of rows) {
    const now = clock.now().getTime();
    if (now - checkedAt >= checkEveryMilliseconds) {
      if (!(await isAllowed())) throw forbidden('What you may read has changed while this answer was sent.');
      checkedAt = now;
    }
    yield piece;
  }
}

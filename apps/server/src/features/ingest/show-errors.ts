import type { RedoubtError } from '@redoubt/errors';
import type { RunningJob } from '../../platform/jobs/index.ts';
import { toShownError } from './hidden-errors.ts';
import type { IngestOptions } from './ingest-options.ts';
import { isRestricted } from './restricted-rejects.ts';
import type { StoredConnections } from './sources/sources.ts';

/** An error of a source or of its rows, as it is kept. */
export interface ShownErrors {
  /** For everybody who sees the job, now and later: people can lose the attributes of a minimum label. */
  inJob: RedoubtError;
  /** For the receipt, which looks at the attributes of its reader. */
  inReceipt: RedoubtError;
}

export type ShowErrors = (
  job: Pick<RunningJob, 'actor'>,
  options: IngestOptions,
  error: RedoubtError,
) => Promise<ShownErrors>;

/**
 * Nothing of the rows is shown if the starter has lost their credential or the connection, or if it has another minimum label than
 * when the job began: the error may be about rows that were read since.
 */
export const createShowErrors =
  (requireUse: StoredConnections['requireUse']): ShowErrors =>
  async (job, options, error) => {
    if (!isRestricted(options)) return { inJob: error, inReceipt: error };
    const mayUse = await job
      .actor()
      .then((actor) => requireUse(actor, options))
      .then(
        () => true,
        () => false,
      );
    const hasMinimum = options.minimumLabel !== undefined;
    const inJob = toShownError(error, options, mayUse && !hasMinimum);
    return { inJob, inReceipt: hasMinimum ? toShownError(error, options, mayUse) : inJob };
  };

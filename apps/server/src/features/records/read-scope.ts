import type { OperationId } from '@redoubt/contract';
import type { VisibleLabels } from '@redoubt/labels';
import type { Member } from '../../platform/auth/actor.ts';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { resolveVisibleLabels, type DatasetReaderDeps } from './dataset-reader.ts';
import { isStillVisible } from './visibility-check.ts';

/** A dataset as far as one reader sees it. */
export interface ReadScope {
  datasetId: string;
  searchAnyField: boolean;
  visible: VisibleLabels;
  /** When this was looked up. */
  since: Date;
  /** Whether all that the reader saw when this was made is still theirs to see. */
  isAllowed: () => Promise<boolean>;
}

export interface ReadScopeDeps extends DatasetReaderDeps {
  access: Pick<DatasetAccess, 'requireCall'>;
  again: ReauthenticateActor;
  clock: Clock;
}

/**
 * What `actor` sees of a dataset, afresh for this request.
 * @param subset attribute tokens to read with, out of those that the actor holds; absent means all
 * @throws RedoubtError 403 or 404 where they may not make this call for it
 */
export const resolveReadScope = async (
  deps: ReadScopeDeps,
  actor: Member,
  operation: OperationId,
  datasetId: string,
  subset?: readonly string[] | null,
): Promise<ReadScope> => {
  const look = async (reader: Member) => {
    const accessible = await deps.access.requireCall(reader, datasetId, operation);
    return { ...accessible, visible: await resolveVisibleLabels(deps, reader, accessible, subset) };
  };
  const since = deps.clock.now();
  const { dataset, visible } = await look(actor);
  return {
    datasetId: dataset.id,
    searchAnyField: dataset.search_any_field,
    visible,
    since,
    isAllowed: () =>
      isStillVisible(deps.again, actor, new Map([[dataset.id, visible]]), async (reader) => {
        const now = await look(reader);
        return new Map([[now.dataset.id, now.visible]]);
      }),
  };
};

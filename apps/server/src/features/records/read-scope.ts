import type { OperationId } from '@redoubt/contract';
import type { VisibleLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { ReauthenticateActor } from '../../platform/auth/reauthenticate-actor.ts';
import type { Clock } from '../../platform/runtime.ts';
import type { DatasetAccess } from '../datasets/index.ts';
import { resolveVisibleLabels, type DatasetReaderDeps } from './dataset-reader.ts';
import { captureVisibility, type SeenStore, type SeenVisibility } from './seen-visibility.ts';
import { createVisibilityCheck } from './visibility-check.ts';

/** What one reader may see of a dataset, at the time of a request. */
export interface ReadScope {
  datasetId: string;
  searchAnyField: boolean;
  visible: VisibleLabels;
  /** What the reader saw then, for the checks of `isAllowed`. */
  seen: SeenVisibility;
  /** When `visible` was resolved. */
  since: Date;
  /** Resolves the visibility again and returns whether it still includes `visible`. */
  isAllowed: () => Promise<boolean>;
}

export interface ReadScopeDeps extends DatasetReaderDeps {
  access: Pick<DatasetAccess, 'requireCall'>;
  reauthenticate: ReauthenticateActor;
  clock: Clock;
  store: Pick<RecordStore, 'visibleLabels'> & SeenStore;
}

/**
 * Resolves what the actor may see of a dataset, for this request.
 * @param subset limits the attributes to these tokens; those that the actor does not hold have no effect. Absent means all
 * @throws RedoubtError 403 or 404 if the actor may not make this call for the dataset
 */
export const resolveReadScope = async (
  deps: ReadScopeDeps,
  actor: Member,
  operation: OperationId,
  datasetId: string,
  subset?: readonly string[] | null,
): Promise<ReadScope> => {
  const resolve = async (reader: Member) => {
    const accessible = await deps.access.requireCall(reader, datasetId, operation);
    return { ...accessible, visible: await resolveVisibleLabels(deps, reader, accessible, subset) };
  };
  const since = deps.clock.now();
  const { dataset, visible } = await resolve(actor);
  const seen = await captureVisibility(deps.store, dataset.id, visible);
  return {
    datasetId: dataset.id,
    searchAnyField: dataset.search_any_field,
    visible,
    seen,
    since,
    isAllowed: createVisibilityCheck(deps, actor, [seen], true, async (reader) => {
      const now = await resolve(reader);
      return new Map([[now.dataset.id, now.visible]]);
    }),
  };
};

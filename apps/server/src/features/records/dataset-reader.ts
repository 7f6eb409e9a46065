import { noVisibleLabels, type VisibleLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import { readDatasetSecurity, type AccessibleDataset } from '../datasets/index.ts';

export interface DatasetReaderDeps {
  heldTokens: HeldAttributes['heldTokens'];
  store: Pick<RecordStore, 'visibleLabels'>;
}

/** Stored tokens have their ASCII letters in upper case. */
const upperCase = (token: string): string => token.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());

/**
 * Resolves which labels of a dataset the actor satisfies and which columns are hidden from them, for this request.
 * Without the permission to read, nothing is visible.
 * @param subset limits the attributes to these tokens; those that the actor does not hold have no effect. Absent means all
 */
export const resolveVisibleLabels = async (
  { heldTokens, store }: DatasetReaderDeps,
  actor: Member,
  { dataset, permissions }: AccessibleDataset,
  subset?: readonly string[] | null,
): Promise<VisibleLabels> => {
  if (!permissions.read) return noVisibleLabels;
  const held = await heldTokens(actor);
  const chosenTokens = subset === undefined || subset === null ? undefined : new Set(subset.map(upperCase));
  const attributes = new Set(
    chosenTokens === undefined ? held : held.filter((token) => chosenTokens.has(token)),
  );
  return store.visibleLabels(dataset.id, attributes, readDatasetSecurity(dataset));
};

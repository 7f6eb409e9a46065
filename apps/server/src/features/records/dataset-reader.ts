import { noVisibleLabels, type VisibleLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { HeldAttributes } from '../attributes/index.ts';
import { readDatasetSecurity, type AccessibleDataset } from '../datasets/index.ts';

export interface DatasetReaderDeps {
  heldTokens: HeldAttributes['heldTokens'];
  store: Pick<RecordStore, 'visibleLabels'>;
}

/** Tokens are kept with their ASCII letters in upper case. */
const upperCase = (token: string): string => token.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());

/**
 * Which labels of a dataset `actor` satisfies, and which columns they do not see, afresh for this request. Without read there is nothing that they see.
 * @param subset attribute tokens to read with, out of those that the actor holds; absent means all
 */
export const resolveVisibleLabels = async (
  { heldTokens, store }: DatasetReaderDeps,
  actor: Member,
  { dataset, permissions }: AccessibleDataset,
  subset?: readonly string[] | null,
): Promise<VisibleLabels> => {
  if (!permissions.read) return noVisibleLabels;
  const held = await heldTokens(actor);
  const chosen = subset === undefined || subset === null ? undefined : new Set(subset.map(upperCase));
  const attributes = new Set(chosen === undefined ? held : held.filter((token) => chosen.has(token)));
  return store.visibleLabels(dataset.id, attributes, readDatasetSecurity(dataset));
};

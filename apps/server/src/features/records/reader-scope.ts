import type { VisibleLabels } from '@redoubt/labels';
import type { RecordStore } from '@redoubt/records';
import type { Member } from '../../platform/auth/actor.ts';
import type { DatasetAccess } from '../datasets/index.ts';

/** A dataset as one reader sees it in this request. */
export interface ReaderScope {
  datasetId: string;
  /** Whether terms without a field are allowed. */
  searchAnyField: boolean;
  visible: VisibleLabels;
}

export interface ReaderScopeDeps {
  access: Pick<DatasetAccess, 'requireAction'>;
  heldTokens: (workspaceUid: string, accountId: string) => Promise<string[]>;
  store: Pick<RecordStore, 'visibleLabels'>;
}

/**
 * Works out what `actor` may see of a dataset, afresh for this request: first whether the dataset lets them read,
 * then which labels their attributes satisfy.
 * @param subset attribute tokens to read with; those that the actor does not hold have no effect
 */
export const readerScope = async (
  { access, heldTokens, store }: ReaderScopeDeps,
  actor: Member,
  datasetId: string,
  subset: readonly string[] | null | undefined,
): Promise<ReaderScope> => {
  const { dataset } = await access.requireAction(actor, datasetId, 'read');
  const held = await heldTokens(actor.workspace.uniqueId, actor.accountId);
  const chosen = subset === undefined || subset === null ? undefined : new Set(subset.map(upperCase));
  const attributes = new Set(chosen === undefined ? held : held.filter((token) => chosen.has(token)));
  return {
    datasetId: dataset.id,
    searchAnyField: dataset.search_any_field,
    visible: await store.visibleLabels(dataset.id, attributes, dataset.label_count),
  };
};

/** Tokens are kept with their ASCII letters in upper case. */
const upperCase = (token: string): string => token.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());

import type { AuditChainPosition, AuditStore } from '@redoubt/records';
import type { AuditConfigRepository, Retention } from './audit-config.repository.ts';
import { hashLinks, type ChainEnds } from './chain-end.ts';

export interface RetentionDeps {
  configs: Pick<AuditConfigRepository, 'limited'>;
  ends: Pick<ChainEnds, 'find' | 'put'>;
  store: Pick<AuditStore, 'events' | 'expired' | 'forgetUpTo' | 'remove' | 'removed'>;
  now: Date;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The links of a workspace's events that are older than their retention period. */
const expiredIn = async (
  { store, now }: RetentionDeps,
  workspace: string,
  rules: readonly Retention[],
): Promise<AuditChainPosition[]> => {
  const datasets = rules.flatMap(({ datasetId }) => (datasetId === null ? [] : [datasetId]));
  const links: AuditChainPosition[] = [];
  for (const { datasetId, keepForever, ageInDays } of rules) {
    if (keepForever) continue;
    const before = now.getTime() - ageInDays * dayMs;
    // The rule of the workspace also covers events of deleted datasets.
    const which = datasetId === null ? { but: datasets } : { datasetId };
    links.push(...(await store.expired(workspace, before, which)));
  }
  return links;
};

/** The last removed link in the unbroken sequence that begins at the start. */
const endOfLeadingRun = (start: { seq: number; hash: string }, removed: readonly AuditChainPosition[]) => {
  let end = start;
  for (const { seq, hash } of removed) {
    if (seq <= end.seq) continue;
    if (seq !== end.seq + 1) break;
    end = { seq, hash };
  }
  return end;
};

/**
 * Removes events that are older than their retention period. First it seals the digest of their links; the links stay,
 * so that the chain can still be verified. Then it seals the new beginning of the chain, and drops the links before it.
 * The next call completes what a kill interrupted. Only one call may run at a time.
 */
export const removeExpired = async (deps: RetentionDeps): Promise<void> => {
  const { configs, ends, store } = deps;
  const byWorkspace = Map.groupBy(await configs.limited(), ({ workspaceUid }) => workspaceUid);
  for (const [workspace, rules] of byWorkspace) {
    const end = await ends.find(workspace);
    if (end === undefined) continue;
    const before = await store.removed(workspace);
    const known = new Set(before.map(({ seq }) => seq));
    const expired = (await expiredIn(deps, workspace, rules)).filter(({ seq }) => seq > end.start.seq);
    const added = expired.filter(({ seq }) => !known.has(seq));
    if (expired.length === 0) continue;
    const removed = [...before, ...added].toSorted((a, b) => a.seq - b.seq);
    const marked = { ...end, removed: hashLinks(removed), removedBefore: hashLinks(before) };
    await ends.put(workspace, marked);
    await store.remove(workspace, added);
    const start = endOfLeadingRun(end.start, removed);
    if (start.seq === end.start.seq) continue;
    const left = hashLinks(removed.filter(({ seq }) => seq > start.seq));
    await ends.put(workspace, { ...marked, start, removed: left, removedBefore: left });
    await store.forgetUpTo(workspace, start.seq);
  }
};

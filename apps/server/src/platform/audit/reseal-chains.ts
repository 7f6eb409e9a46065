import type { AuditChainPosition, AuditStore } from '@redoubt/records';
import { UnsealError, type SecretBox } from '../secrets/index.ts';
import type { Db } from '../db/database.ts';
import { createChainEnds, hashLinks, emptyChainEnd } from './chain-end.ts';
import { createAuditChainRepository } from './chains.repository.ts';

const canOpen = async (open: () => Promise<unknown>): Promise<boolean> => {
  try {
    await open();
    return true;
  } catch (error) {
    if (error instanceof UnsealError) return false;
    throw error;
  }
};

/**
 * Seals the ends of restored chains with the key of this server if the key that sealed them is not available.
 * Verification then accepts the restored events as they are, and cannot detect changes from before the restore. With
 * the original key, it still detects them.
 */
export const resealChains = async ({
  db,
  store,
  secrets,
}: {
  db: Db;
  store: Pick<AuditStore, 'events' | 'removed' | 'workspaces'>;
  secrets: SecretBox;
}): Promise<void> => {
  const ends = createChainEnds(createAuditChainRepository(db, false), secrets);
  const workspaces = new Set([...(await ends.workspaces()), ...(await store.workspaces())]);
  if (!(await canOpen(ends.listed))) await ends.list([...workspaces].toSorted());
  for (const workspace of workspaces) {
    if (await canOpen(() => ends.find(workspace))) continue;
    const removed = await store.removed(workspace);
    let first: AuditChainPosition | undefined = removed[0];
    let last: AuditChainPosition | undefined = removed.at(-1);
    for await (const events of store.events(workspace, 0)) {
      for (const event of events) {
        if (first === undefined || event.seq < first.seq) first = event;
        if (last === undefined || event.seq > last.seq) last = event;
      }
    }
    const digest = hashLinks(removed);
    await ends.put(workspace, {
      seq: last?.seq ?? 0,
      hash: last?.hash ?? emptyChainEnd.hash,
      start: first === undefined ? emptyChainEnd.start : { seq: first.seq - 1, hash: first.previous },
      removed: digest,
      removedBefore: digest,
    });
  }
};

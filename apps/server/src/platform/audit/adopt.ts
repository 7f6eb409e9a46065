import type { AuditLink, AuditStore } from '@redoubt/records';
import { SealError, type SecretBox } from '../secrets/index.ts';
import type { Db } from '../db/database.ts';
import { createChainEnds, digestOf, noChain } from './chain-end.ts';
import { createAuditChainRepository } from './chains.repository.ts';

const opens = async (open: () => Promise<unknown>): Promise<boolean> => {
  try {
    await open();
    return true;
  } catch (error) {
    if (error instanceof SealError) return false;
    throw error;
  }
};

/**
 * Seals the ends of restored chains anew where the key that they were sealed under is not here: from then on they are taken
 * for whole as they are. With that key, the check goes back to what was sealed before the backup.
 */
export const adoptChains = async ({
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
  if (!(await opens(ends.listed))) await ends.list([...workspaces].toSorted());
  for (const workspace of workspaces) {
    if (await opens(() => ends.find(workspace))) continue;
    const removed = await store.removed(workspace);
    let first: AuditLink | undefined = removed[0];
    let last: AuditLink | undefined = removed.at(-1);
    for await (const events of store.events(workspace, 0)) {
      for (const event of events) {
        if (first === undefined || event.seq < first.seq) first = event;
        if (last === undefined || event.seq > last.seq) last = event;
      }
    }
    const digest = digestOf(removed);
    await ends.put(workspace, {
      seq: last?.seq ?? 0,
      hash: last?.hash ?? noChain.hash,
      start: first === undefined ? noChain.start : { seq: first.seq - 1, hash: first.previous },
      removed: digest,
      removedBefore: digest,
    });
  }
};

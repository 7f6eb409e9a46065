import type { AuditChainPosition, AuditStore, ChainedEvent } from '@redoubt/records';
import { UnsealError } from '../secrets/index.ts';
import { hashLinks, chainListKey, type ChainEnd, type ChainEnds } from './chain-end.ts';
import { chainedEvent } from './audit-event.ts';

/** The result of verifying one chain. */
export interface ChainReport {
  /** The key of the workspace; '-' for events of no workspace, '*' for the list of workspaces. */
  workspace: string;
  /** The number of intact events, up to the first problem. */
  events: number;
  /** The first inconsistency; undefined for an intact chain. */
  problem: string | undefined;
}

export interface VerifyDeps {
  ends: Pick<ChainEnds, 'find' | 'listed' | 'workspaces'>;
  store: Pick<AuditStore, 'events' | 'removed' | 'workspaces'>;
}

class BrokenChain extends Error {}

const isUnchanged = (event: ChainedEvent): boolean => {
  try {
    return (
      JSON.stringify(chainedEvent(event.event, event.seq, event.previous)) === JSON.stringify({ ...event })
    );
  } catch {
    return false;
  }
};

const withKeysInOrder = ({
  workspace,
  seq,
  hash,
  previous,
  id,
  event,
  userId,
  datasetId,
  timeMs,
  shown,
  labels,
}: ChainedEvent): ChainedEvent => ({
  workspace,
  seq,
  hash,
  previous,
  id,
  event,
  userId,
  datasetId,
  timeMs,
  shown,
  labels,
});

/** Follows a chain from its sealed start to its sealed end. @throws BrokenChain at the first inconsistency */
const follow = async (
  workspace: string,
  end: ChainEnd,
  store: VerifyDeps['store'],
  count: () => void,
): Promise<void> => {
  const removed = (await store.removed(workspace)).filter(({ seq }) => seq > end.start.seq);
  let at = end.start;
  let nextRemoved = 0;
  const step = ({ seq, hash, previous }: AuditChainPosition): void => {
    if (seq <= at.seq) throw new BrokenChain(`there are two events ${seq}`);
    if (seq > at.seq + 1) {
      const last = seq - 1;
      throw new BrokenChain(
        last === at.seq + 1 ? `event ${last} is missing` : `events ${at.seq + 1} to ${last} are missing`,
      );
    }
    if (previous !== at.hash) throw new BrokenChain(`event ${seq} does not follow event ${at.seq}`);
    if (seq === end.seq && hash !== end.hash)
      throw new BrokenChain(`event ${seq} is not the one that was sealed`);
    if (seq > end.seq) throw new BrokenChain(`event ${seq} was not written by this server`);
    at = { seq, hash };
  };
  const stepRemoved = (until: number): void => {
    for (;;) {
      const link = removed[nextRemoved];
      if (link === undefined || link.seq >= until) return;
      step(link);
      nextRemoved += 1;
    }
  };
  for await (const events of store.events(workspace, end.start.seq)) {
    for (const event of events) {
      stepRemoved(event.seq);
      // An interrupted removal: the event still exists beside its link.
      if (removed[nextRemoved]?.seq === event.seq) nextRemoved += 1;
      if (!isUnchanged(withKeysInOrder(event))) throw new BrokenChain(`event ${event.seq} was changed`);
      step(event);
      count();
    }
  }
  stepRemoved(Number.POSITIVE_INFINITY);
  if (at.seq < end.seq) {
    throw new BrokenChain(
      at.seq + 1 === end.seq
        ? `the last event is missing: ${end.seq}`
        : `the last events are missing: ${at.seq + 1} to ${end.seq}`,
    );
  }
  if (![end.removed, end.removedBefore].includes(hashLinks(removed))) {
    throw new BrokenChain('events are missing that retention did not remove');
  }
};

const verifyOne = async (
  workspace: string,
  { ends, store }: VerifyDeps,
  listed: ReadonlySet<string> | undefined,
): Promise<ChainReport> => {
  let events = 0;
  try {
    const end = await ends.find(workspace);
    if (end === undefined) {
      throw new BrokenChain(
        (await store.workspaces()).includes(workspace)
          ? 'its sealed end is missing'
          : 'all of its events and its sealed end are missing',
      );
    }
    if (listed?.has(workspace) === false) throw new BrokenChain('it is not in the list of workspaces');
    await follow(workspace, end, store, () => {
      events += 1;
    });
    return { workspace, events, problem: undefined };
  } catch (error) {
    if (error instanceof BrokenChain || error instanceof UnsealError)
      return { workspace, events, problem: error.message };
    throw error;
  }
};

/** The sealed list of workspaces that have a chain, or why it cannot be read. */
const readList = async (
  ends: Pick<ChainEnds, 'listed'>,
): Promise<{ listed: ReadonlySet<string> | undefined; problem: string | undefined }> => {
  try {
    const listed = await ends.listed();
    return listed === undefined
      ? { listed, problem: 'the list of workspaces that have events is missing' }
      : { listed: new Set(listed), problem: undefined };
  } catch (error) {
    if (error instanceof UnsealError) return { listed: undefined, problem: error.message };
    throw error;
  }
};

/** Verifies every chain. Nothing may be added to them meanwhile. */
export const verifyChains = async (deps: VerifyDeps): Promise<ChainReport[]> => {
  const { listed, problem } = await readList(deps.ends);
  const found = [...(await deps.ends.workspaces()), ...(await deps.store.workspaces())];
  const reports: ChainReport[] = [];
  if (problem !== undefined && found.length > 0)
    reports.push({ workspace: chainListKey, events: 0, problem });
  for (const workspace of [...new Set([...found, ...(listed ?? [])])].toSorted()) {
    reports.push(await verifyOne(workspace, deps, listed));
  }
  return reports;
};

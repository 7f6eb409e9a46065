import type { AuditStore, ChainedEvent } from '@redoubt/records';
import { UnsealError } from '../secrets/index.ts';
import type { Logger } from '../log/logger.ts';
import { emptyChainEnd, type ChainEnd, type ChainEnds } from './chain-end.ts';
import { chainedEvent } from './audit-event.ts';
import type { AuditOutbox, OutboxRow } from './outbox.repository.ts';

const eventsAtOnce = 1000;

export interface ChainingDeps {
  outbox: Pick<AuditOutbox, 'oldest' | 'remove'>;
  ends: Pick<ChainEnds, 'find' | 'list' | 'listed' | 'put' | 'workspaces'>;
  store: Pick<AuditStore, 'append' | 'since'>;
  logger: Pick<Logger, 'error'>;
}

/** Adds a workspace to the sealed list before it has a chain. A list that is gone is not begun anew unseen, nor one of others gone on with. */
const listNew = async (ends: ChainingDeps['ends'], workspace: string): Promise<void> => {
  try {
    const listed = await ends.listed();
    if (listed === undefined && (await ends.workspaces()).length > 0) return;
    const added = new Set([...(listed ?? []), workspace]);
    if (added.size > (listed?.length ?? 0)) await ends.list([...added].toSorted());
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
  }
};

/**
 * Puts what waits in the outbox into the chains, in order. What a kill broke off is gone on with: events that were stored
 * and not yet taken out of the outbox are told by their ids, so that none is there twice and none is lost.
 * To be called by one at a time.
 */
export const appendPendingEvents = async ({ outbox, ends, store, logger }: ChainingDeps): Promise<void> => {
  /** Where to go on: after what is sealed, and what was stored of these very events since; and which of them are there. */
  const endOf = async (
    workspace: string,
    rows: readonly OutboxRow[],
  ): Promise<{ end: ChainEnd; stored: ReadonlySet<string> }> => {
    const known = await ends.find(workspace);
    if (known === undefined) await listNew(ends, workspace);
    const sealed = known ?? emptyChainEnd;
    // Those of one move at most are chained, and sealed perhaps, and still in the outbox.
    const recent = await store.since(workspace, Math.max(0, sealed.seq - eventsAtOnce));
    const waiting = new Set(rows.map(({ id }) => id));
    const stored = new Set(
      recent.filter(({ id, seq }) => seq <= sealed.seq && waiting.has(id)).map(({ id }) => id),
    );
    const beyond = recent.filter(({ seq }) => seq > sealed.seq);
    const last = beyond.at(-1);
    if (last === undefined) return { end: sealed, stored };
    if (beyond.every(({ id }) => waiting.has(id))) {
      for (const { id } of beyond) stored.add(id);
      return { end: { ...sealed, seq: last.seq, hash: last.hash }, stored };
    }
    // Others have put them there. They are not sealed, so that they show when the log is verified.
    logger.error(
      { workspace, after: sealed.seq },
      'the audit log holds events that this server has not written',
    );
    return { end: sealed, stored };
  };

  for (;;) {
    const rows = await outbox.oldest(eventsAtOnce);
    if (rows.length === 0) return;
    const added: ChainedEvent[] = [];
    const reached = new Map<string, ChainEnd>();
    for (const [workspace, ofWorkspace] of Map.groupBy(rows, ({ workspaceUid }) => workspaceUid)) {
      const { end, stored } = await endOf(workspace, ofWorkspace);
      let { seq, hash } = end;
      for (const { id, event } of ofWorkspace) {
        if (stored.has(id)) continue;
        const chained = chainedEvent(event, seq + 1, hash);
        ({ seq, hash } = chained);
        added.push(chained);
      }
      reached.set(workspace, { ...end, seq, hash });
    }
    if (added.length > 0) await store.append(added);
    for (const [workspace, end] of reached) await ends.put(workspace, end);
    await outbox.remove(rows);
    // Those that came meanwhile go with the next move: a few at a time cost as much as many.
    if (rows.length < eventsAtOnce) return;
  }
};

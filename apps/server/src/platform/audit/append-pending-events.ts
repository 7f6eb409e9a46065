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

/**
 * Adds a workspace to the sealed list before its chain exists. Changes nothing if the list is missing although there
 * are chains, or if another key sealed it: the next verification must report both.
 */
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
 * Appends the events of the outbox to the chains, in order, and resumes what a kill interrupted: events that were
 * stored but not yet removed from the outbox are recognised by their ids, so none is lost or stored twice. Only one
 * call may run at a time.
 */
export const appendPendingEvents = async ({ outbox, ends, store, logger }: ChainingDeps): Promise<void> => {
  /**
   * Returns the end that the next event is linked to: the sealed end or, if a kill came between storing events and
   * sealing their end, the last stored event. `stored` has the ids of the pending events that the log contains already.
   */
  const endOf = async (
    workspace: string,
    rows: readonly OutboxRow[],
  ): Promise<{ end: ChainEnd; stored: ReadonlySet<string> }> => {
    const known = await ends.find(workspace);
    if (known === undefined) await listNew(ends, workspace);
    const sealed = known ?? emptyChainEnd;
    // A kill can leave at most one batch that is in the log and still in the outbox, so the last events suffice.
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
    // Something else wrote these events. They stay unsealed, so that a verification reports them.
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
    // Events that arrived meanwhile wait for the next run: appending a few costs as much as appending many.
    if (rows.length < eventsAtOnce) return;
  }
};

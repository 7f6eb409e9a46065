import type { AuditChainPosition, AuditStore, ChainedEvent } from '@redoubt/records';
import { linesOf } from '../files/lines.ts';

/** A line of the copy: an event with its link, or the link of an event that retention removed. */
type Line = { event: ChainedEvent } | { removed: AuditChainPosition };

const bytesOf = (line: Line): Uint8Array => Buffer.from(`${JSON.stringify(line)}\n`);

/** The audit log as lines of JSON, one chain after the other. */
export async function* auditLines(
  store: Pick<AuditStore, 'events' | 'removed' | 'workspaces'>,
): AsyncGenerator<Uint8Array> {
  for (const workspace of await store.workspaces()) {
    for (const removed of await store.removed(workspace)) yield bytesOf({ removed });
    for await (const events of store.events(workspace, 0))
      for (const event of events) yield bytesOf({ event });
  }
}

const eventsAtOnce = 1000;

/** Replaces the log with a copy. */
export const restoreAudit = async (
  store: Pick<AuditStore, 'append' | 'clear' | 'remove'>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> => {
  await store.clear();
  const removed = new Map<string, AuditChainPosition[]>();
  let events: ChainedEvent[] = [];
  for await (const text of linesOf(bytes)) {
    const line = JSON.parse(text) as Line;
    if ('removed' in line) {
      removed.set(line.removed.workspace, [...(removed.get(line.removed.workspace) ?? []), line.removed]);
      continue;
    }
    events.push(line.event);
    if (events.length < eventsAtOnce) continue;
    await store.append(events);
    events = [];
  }
  if (events.length > 0) await store.append(events);
  for (const [workspace, links] of removed) await store.remove(workspace, links);
};

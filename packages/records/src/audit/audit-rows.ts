import { kindBit, kinds, quoteString, textStatisticBits, type PathEntry } from '@redoubt/query';
import { createPathRegistry } from '../intake/path-registry.ts';
import { insertColumns, rowText } from '../intake/prepared-rows.ts';
import { createRecordReader } from '../intake/record-reader.ts';
import { chainColumns } from './audit-tables.ts';

/** The place of an event in the chain of its workspace. */
export interface AuditChainPosition {
  workspace: string;
  /** 1, 2, 3… in each workspace. */
  seq: number;
  /** Over the event and the hash before. */
  hash: string;
  previous: string;
}

/** An event with its place in the chain. */
export interface ChainedEvent extends AuditChainPosition {
  id: string;
  /** The text that the hash is over. */
  event: string;
  /** Who acted; '' where nobody is known. */
  userId: string;
  /** The dataset that it is about; '' for none. */
  datasetId: string;
  /** Milliseconds since 1970. */
  timeMs: number;
  /** What is searched and answered: a JSON object, without anything that not all who see the event may see. */
  shown: string;
  /** Of an event about records: how many of each label. */
  labels: readonly (readonly [label: string, count: number])[];
}

/** The columns of an event's row, in order. */
export const eventColumns: readonly string[] = [...chainColumns, ...insertColumns];

/** All kinds of values, in texts of any letters: what stands at the paths of events is not kept by kind. */
const anyKind = Object.values(kinds).reduce((mask, kind) => mask | kindBit(kind), textStatisticBits.other);

export const auditPath = (pathId: number): PathEntry => ({ pathId, kinds: anyKind });

/** Events carry no label of a record: who sees them is asked of columns of their own. */
const labelOfEvents = 0;

const cell = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');

/**
 * The rows of events in the format TabSeparated.
 * @param known the paths that events have had so far
 * @returns also the paths that are new, in the order of their numbers
 */
export function eventRows(
  events: readonly ChainedEvent[],
  known: ReadonlyMap<string, PathEntry>,
): { rows: Buffer; newPaths: string[] } {
  const newPaths: string[] = [];
  const book = createPathRegistry(known, (path) => {
    if (!known.has(path)) newPaths.push(path);
  });
  const reader = createRecordReader(book);
  const rows = events.map((event) => {
    reader.read(event.shown);
    const chain = [
      cell(event.workspace),
      String(event.seq),
      event.hash,
      event.previous,
      cell(event.event),
      cell(event.userId),
      cell(event.datasetId),
      String(event.timeMs),
      `[${event.labels.map(([label]) => quoteString(label)).join(',')}]`,
      `[${event.labels.map(([, count]) => String(count)).join(',')}]`,
      String(labelOfEvents),
    ];
    return `${chain.join('\t')}\t${rowText(event.id, event.timeMs, reader.parts)}`;
  });
  return { rows: Buffer.from(rows.join('')), newPaths };
}

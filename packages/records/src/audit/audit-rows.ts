import { kindBit, kinds, quoteString, textStatisticBits, type PathEntry } from '@redoubt/query';
import { createPathRegistry } from '../intake/path-registry.ts';
import { contentColumns, contentText } from '../intake/prepared-rows.ts';
import { createRecordReader } from '../intake/record-reader.ts';
import { chainColumns } from './audit-tables.ts';

/** The position of an event in the hash chain of its workspace. */
export interface AuditChainPosition {
  workspace: string;
  /** Counts from 1 in each workspace. */
  seq: number;
  /** The hash of the event and of the previous hash. */
  hash: string;
  previous: string;
}

/** An event with its position in the chain. */
export interface ChainedEvent extends AuditChainPosition {
  id: string;
  /** The hashed text. */
  event: string;
  /** The id of the person who acted; '' if unknown. */
  userId: string;
  /** The id of the dataset that it concerns; '' for none. */
  datasetId: string;
  /** Milliseconds since 1970. */
  timeMs: number;
  /** The JSON object that searches use and return. It contains only what everyone who can see the event may see. */
  shown: string;
  /** For events about records: how many records have each label. */
  labels: readonly (readonly [label: string, count: number])[];
}

/** The columns of the row of an event, in order. */
export const eventColumns: readonly string[] = [...chainColumns, ...contentColumns];

/** The mask of all kinds of values: for paths of events, the kinds are not recorded. */
const anyKind = Object.values(kinds).reduce((mask, kind) => mask | kindBit(kind), textStatisticBits.other);

export const auditPath = (pathId: number): PathEntry => ({ pathId, kinds: anyKind });

/** Events have no record label: their visibility comes from separate columns. */
const labelOfEvents = 0;

const cell = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');

/**
 * Prints events as rows in the format TabSeparated.
 * @param known the paths of all events so far
 * @returns the rows, and the new paths in the order of their numbers
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
    return `${chain.join('\t')}\t${contentText(event.id, event.timeMs, reader.parts)}`;
  });
  return { rows: Buffer.from(rows.join('')), newPaths };
}

import type { AuditEventType } from '@redoubt/contract';
import { createHash } from 'node:crypto';
import type { ChainedEvent } from '@redoubt/records';
import type { RequestOrigin, Person } from '../auth/actor.ts';

type Detail = string | number | boolean | null | readonly string[];

/** Something that happened. It never holds a secret, and of records only counts. */
export interface AuditEvent {
  type: AuditEventType;
  /** A sentence for people, without its subject: `created the group "Pilots"`. */
  description: string;
  datasetId?: string | undefined;
  details?: Readonly<Record<string, Detail | undefined>> | undefined;
  /**
   * For an event about records: the number of records of each label, in its canonical form. Readers who satisfy none of
   * the labels do not see the event.
   */
  labels?: ReadonlyMap<string, number> | undefined;
  /** Limits who may see the event: a reader must satisfy at least one of these labels. The author always sees it. */
  audience?: readonly string[] | undefined;
}

/** Stands for the author among the labels of an event. It is not a valid label, so no attribute can satisfy it. */
export const markOfAuthor = (accountId: string): string => `@${accountId}`;

const keptLabels = (
  author: AuditActor,
  { labels, audience }: AuditEvent,
): [label: string, count: number][] => {
  if (audience === undefined) return [...(labels ?? [])].filter(([, count]) => count > 0);
  return [markOfAuthor(author.accountId ?? ''), ...audience].map((label) => [label, 0]);
};

/** Who acted. Every `Person` is an `AuditActor`; without a signed-in account, only the known parts are set. */
export interface AuditActor {
  accountId: string | undefined;
  email: string;
  workspace: { uniqueId: string } | undefined;
  credential?: Person['credential'] | undefined;
  origin?: RequestOrigin | undefined;
}

/** The event in the form that is hashed and stored. */
export interface StoredEvent {
  id: string;
  workspace: string;
  type: AuditEventType;
  userId: string | null;
  timestampMs: number;
  description: string;
  sourceIP: string | null;
  datasetId: string | null;
  actor: string;
  details: Readonly<Record<string, Detail>>;
  labels: readonly (readonly [label: string, count: number])[];
}

const credentialDetails = ({ credential }: AuditActor): Record<string, string> => {
  switch (credential?.kind) {
    case 'key':
      return { credential: 'key', keyId: credential.keyId };
    case 'application':
      return { credential: 'application', applicationId: credential.applicationId };
    case 'session':
    case undefined:
      return {};
  }
};

const known = (details: AuditEvent['details']): [string, Detail][] =>
  Object.entries(details ?? {}).filter((entry): entry is [string, Detail] => entry[1] !== undefined);

const byLabel = ([a]: readonly [string, number], [b]: readonly [string, number]): number => (a < b ? -1 : 1);

/** The chain of events that belong to no workspace. */
const noWorkspace = '-';

export const toStoredEvent = (author: AuditActor, event: AuditEvent, id: string, now: Date): StoredEvent => ({
  id,
  workspace: author.workspace?.uniqueId ?? noWorkspace,
  type: event.type,
  userId: author.accountId ?? null,
  timestampMs: now.getTime(),
  description: event.description,
  sourceIP: author.origin?.ip ?? null,
  datasetId: event.datasetId ?? null,
  actor: author.email,
  details: {
    ...Object.fromEntries(known(event.details)),
    ...credentialDetails(author),
    ...(author.origin === undefined ? {} : { requestId: author.origin.requestId }),
  },
  labels: keptLabels(author, event).toSorted(byLabel),
});

/** The part of an event that searches match and responses contain. */
const shownOf = ({ workspace: _workspace, labels: _labels, ...shown }: StoredEvent): string =>
  JSON.stringify(shown);

/** The `previous` hash of the first event of a chain. */
export const firstHash = '0'.repeat(64);

const hashOf = (previous: string, seq: number, event: string): string =>
  createHash('sha256').update(`${previous}\n${seq}\n${event}`).digest('hex');

/**
 * Links an event into its chain.
 * @param text a `StoredEvent` as JSON
 * @param seq its position in the chain, from 1
 * @param previous the hash of the event before it
 */
export const chainedEvent = (text: string, seq: number, previous: string): ChainedEvent => {
  const event = JSON.parse(text) as StoredEvent;
  return {
    workspace: event.workspace,
    seq,
    hash: hashOf(previous, seq, text),
    previous,
    id: event.id,
    event: text,
    userId: event.userId ?? '',
    datasetId: event.datasetId ?? '',
    timeMs: event.timestampMs,
    shown: shownOf(event),
    labels: event.labels,
  };
};

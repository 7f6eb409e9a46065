import type { AuditEventType } from '@redoubt/contract';
import { createHash } from 'node:crypto';
import type { ChainedEvent } from '@redoubt/records';
import type { RequestOrigin, Person } from '../auth/actor.ts';

type Detail = string | number | boolean | null | readonly string[];

/** Something that happened. No part of it holds a secret, or anything of records but counts. */
export interface AuditEvent {
  type: AuditEventType;
  /** A sentence for people, without its subject: "made the group "Pilots"". */
  description: string;
  datasetId?: string | undefined;
  details?: Readonly<Record<string, Detail | undefined>> | undefined;
  /** Of an event about records: how many of each label, in its canonical form. Who satisfies none sees no such event. */
  labels?: ReadonlyMap<string, number> | undefined;
  /** Of an event that not everybody may know of: labels, of which those satisfy one who may. The author always does. */
  audience?: readonly string[] | undefined;
}

/** Stands among the labels of an event for its author. It is no label that anybody could satisfy otherwise. */
export const markOfAuthor = (accountId: string): string => `@${accountId}`;

const keptLabels = (
  author: AuditActor,
  { labels, audience }: AuditEvent,
): [label: string, count: number][] => {
  if (audience === undefined) return [...(labels ?? [])].filter(([, count]) => count > 0);
  return [markOfAuthor(author.accountId ?? ''), ...audience].map((label) => [label, 0]);
};

/** Who acted. `Person` is one; what strangers do has the parts that are known. */
export interface AuditActor {
  accountId: string | undefined;
  email: string;
  workspace: { uniqueId: string } | undefined;
  credential?: Person['credential'] | undefined;
  origin?: RequestOrigin | undefined;
}

/** The event as its hash is over it. */
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

/** The chain of what belongs to no workspace. */
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

/** What is searched and answered, for whoever sees the event at all. */
const shownOf = ({ workspace: _workspace, labels: _labels, ...shown }: StoredEvent): string =>
  JSON.stringify(shown);

/** The hash before the first event. */
export const firstHash = '0'.repeat(64);

const hashOf = (previous: string, seq: number, event: string): string =>
  createHash('sha256').update(`${previous}\n${seq}\n${event}`).digest('hex');

/** The event at a place of the chain, with all that is kept of it. @param text a `StoredEvent` */
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

/** A place in the partitions of topics: the next offset of each, by `partitionKey`. */
export type Offsets = Readonly<Record<string, string>>;

/** A topic has another id when it is deleted and created again: its offsets are others then. */
export const partitionKey = (topicId: string, partition: number): string => `${topicId}/${String(partition)}`;

/** The id of the topic of a `partitionKey`. */
export const topicIdOf = (key: string): string => key.slice(0, key.lastIndexOf('/'));

/** Where the reading of messages begins and ends. It is the place of a segment. */
export interface TopicPlace {
  offsets: Offsets;
  /** The offsets at which the job ends; undefined if it runs until it is stopped. */
  ends?: Offsets | undefined;
}

export type MessageFormat = 'avro' | 'json' | 'text';

export interface TopicConnection {
  servers: readonly { host: string; port: number }[];
  topics: readonly string[];
  groupId?: string | undefined;
  format: MessageFormat;
  /** Whether records have the fields `_partition` and `_offset`. */
  includeOffsets: boolean;
  registry?: { url: string; username?: string | undefined; password?: string | undefined } | undefined;
  sasl?: { mechanism: SaslMechanism; username: string; password: string } | undefined;
  /** Whether connections are encrypted, and the certificates of the brokers checked. */
  isSecure: boolean;
  /** The certificate of the authority that signed those of the brokers; by default those that Node.js trusts. */
  ca?: string | undefined;
  /** Where to begin in a topic that the group has not read: a time is in milliseconds. */
  from: number | 'earliest' | 'latest';
  until?: 'end' | undefined;
  /** Whether private networks and this machine may be connected to. */
  allowsPrivate: boolean;
}

export const saslMechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
export type SaslMechanism = (typeof saslMechanisms)[number];

/** The task of a process that reads topics. It gets it on standard input, because arguments are visible to others. */
export interface TopicTask extends TopicConnection {
  /** Finds the place where a job begins, after the offsets of its group; otherwise reads messages from a place. */
  find?: { offsets: Offsets } | undefined;
  read?: TopicPlace | undefined;
  /** Tells the cluster how far the group has read. */
  commit?: { offsets: Offsets } | undefined;
  /** Lists the topics of the cluster instead of reading some. */
  listTopics?: boolean | undefined;
  limits: TurnLimits;
}

/** The bounds of one segment. */
export interface TurnLimits {
  maxBytes: number;
  maxMessages: number;
  /** How long messages are gathered after the first one. */
  gatherMs: number;
  /** How long to wait for the first one. */
  idleMs: number;
}

/** What a partition of a segment contains, as its starter sees it. */
export interface ReadRange {
  /** See `partitionKey`. */
  key: string;
  topic: string;
  partition: number;
  firstOffset: string;
  endOffset: string;
}

/** How reading ended. */
export interface TopicResult {
  place: TopicPlace;
  ranges: readonly ReadRange[];
  /** How many offsets are left in all partitions: messages, and markers of transactions. */
  lag: string;
  tombstones: number;
  isAtEnd: boolean;
}

import type { ParserHost } from '../../parser/start-parser.ts';
import { NothingReadError, UnchangedSegmentError, type SegmentVersion, type SourceKind } from '../source.ts';
import { offsetsOfLines } from './offsets-of-lines.ts';
import { readTopicConnection } from './topic-connection.ts';
import { requireAllowedTopics, requireTopicNames, topicFields, withRequest } from './stored-topics.ts';
import type {
  Offsets,
  ReadRange,
  TopicConnection,
  TopicPlace,
  TopicResult,
  TopicTask,
  TurnLimits,
} from './topic-messages.ts';
import { readTopics } from './read-topics.ts';

/** What a segment holds at most. */
const segment: TurnLimits = {
  maxBytes: 64_000_000,
  maxMessages: 200_000,
  gatherMs: 2000,
  idleMs: 30_000,
};
/** Each so many segments, messages are gathered for the time of the first ones longer, so that lists stay short. */
const slowerEach = 500;
const maxGatherMs = 600_000;

const limitsAfter = (number: number): TurnLimits => ({
  ...segment,
  gatherMs: Math.min(maxGatherMs, segment.gatherMs * (1 + number / slowerEach)),
});

/** The place of a segment, and its number in the job. */
interface SegmentPlace extends TopicPlace {
  number: number;
  /** Whether it is read for a preview, which commits no offsets of the group to the cluster. */
  isPreview?: true;
}

const toVersion = ({ place, ranges, isAtEnd }: TopicResult, number: number): SegmentVersion => ({
  place: JSON.stringify({ ...place, number }),
  ranges: JSON.stringify(ranges),
  isAtEnd: String(isAtEnd),
});

const nameOf = (topics: readonly string[]): string =>
  `${topics.length === 1 ? (topics[0] ?? '') : `${String(topics.length)} topics`}.messages`;

/** Waits for the end of a process that reads no messages. */
const expectNoMessages = async (lines: AsyncGenerator<Uint8Array>): Promise<void> => {
  const { done } = await lines.next();
  if (done !== true) throw new Error('A process that reads no messages wrote one.');
};

/** Messages of topics: a segment is a range of offsets of each partition, and begins where the last one ended. */
export const createKafkaSources = ({
  allowsPrivate,
  parserHost,
}: {
  allowsPrivate: boolean;
  parserHost: () => Promise<ParserHost>;
}): SourceKind => ({
  type: 'KAFKA',
  open: (connectionInfo, opened) => {
    const connection: TopicConnection = readTopicConnection(connectionInfo, allowsPrivate);
    const { topics, servers, groupId, until } = connection;
    requireAllowedTopics(topics, opened?.allowed ?? null);
    const segmentAt = (place: SegmentPlace) => ({
      name: nameOf(topics),
      identity: `offsets of ${groupId ?? ''}`,
      place,
      readerName: 'messages',
    });
    const findPlace = async (task: Pick<TopicTask, 'until'>, offsets: Offsets, signal: AbortSignal) => {
      let place: TopicPlace | undefined;
      const whole = { ...connection, ...task, find: { offsets }, limits: segment };
      const lines = readTopics(await parserHost(), whole, signal, (end) => {
        if (end.kind === 'place') ({ place } = end);
      });
      await expectNoMessages(lines);
      if (place === undefined) throw new Error('A process that finds a place found none.');
      return place;
    };
    return {
      shown: {
        hosts: servers.map(({ host, port }) => `${host}:${String(port)}`),
        topics,
        ...(groupId === undefined ? {} : { groupId }),
        ...(until === undefined ? {} : { until }),
      },
      changedSinceJob: undefined,
      continues: 'not',
      segments: undefined,
      reading: { format: 'messages', encoding: 'utf-8' },
      turns: {
        group: groupId,
        isEndless: until === undefined,
        after: ({ place, isAtEnd }) =>
          place === undefined || isAtEnd === 'true'
            ? undefined
            : segmentAt(JSON.parse(place) as SegmentPlace),
        async *present(signal) {
          const found = await findPlace({ until: 'end' }, {}, signal);
          yield segmentAt({ ...found, number: 0, isPreview: true });
        },
        finish: async ({ place = '{}' }, signal) => {
          if (groupId === undefined) return;
          const { offsets } = JSON.parse(place) as TopicPlace;
          const task = { ...connection, commit: { offsets }, limits: segment };
          await expectNoMessages(readTopics(await parserHost(), task, signal, () => undefined));
        },
        begin: async (place) => JSON.stringify((place as SegmentPlace).offsets),
        reached: async ({ place = '{}', ranges = '[]' }, lines) => {
          const { offsets } = JSON.parse(place) as TopicPlace;
          return JSON.stringify(
            lines === undefined
              ? offsets
              : await offsetsOfLines(offsets, JSON.parse(ranges) as ReadRange[], lines),
          );
        },
      },
      async *list(signal, known) {
        const offsets = known === undefined ? {} : (JSON.parse(known) as Offsets);
        yield segmentAt({ ...(await findPlace({ until }, offsets, signal)), number: 0 });
      },
      async *read(sent, { signal, onVersion, onRead }) {
        const { number, isPreview, ...place } = sent as SegmentPlace;
        let result: TopicResult | undefined;
        let hasRows = false;
        const reader = isPreview === true ? { ...connection, groupId: undefined } : connection;
        const task = { ...reader, read: place, limits: limitsAfter(number) };
        for await (const line of readTopics(await parserHost(), task, signal, (end) => {
          if (end.kind === 'result') ({ result } = end);
        })) {
          hasRows = true;
          yield line;
        }
        if (result === undefined) throw new NothingReadError();
        onVersion(toVersion(result, number + 1));
        const { ranges, lag, tombstones } = result;
        onRead({
          number: number + 1,
          partitions: ranges.map(({ key: _key, ...range }) => range),
          lag,
          tombstones,
        });
        if (!hasRows) throw new UnchangedSegmentError();
      },
    };
  },
  stored: {
    fields: topicFields,
    restriction: 'topics',
    describe: (stored, allowed) => {
      requireTopicNames(allowed);
      const { servers, isSecure } = readTopicConnection(withRequest(stored), allowsPrivate);
      return { hosts: servers.map(({ host, port }) => `${host}:${String(port)}`), tls: isSecure };
    },
    // Only messages of Avro need the registry that the connection holds.
    join: ({ registry, ...stored }, requested) => ({
      ...requested,
      ...stored,
      ...(requested['format'] === 'avro' && registry !== undefined ? { registry } : {}),
    }),
    async *find(stored, allowed, signal) {
      const connection = readTopicConnection(withRequest(stored), allowsPrivate);
      const names: string[] = [];
      const task = { ...connection, topics: allowed?.topics ?? [], listTopics: true, limits: segment };
      const lines = readTopics(await parserHost(), task, signal, (end) => {
        if (end.kind === 'topics') names.push(...end.topics);
      });
      await expectNoMessages(lines);
      yield* allowed === null ? names : names.filter((name) => allowed.topics?.includes(name) === true);
    },
  },
});

import { RedoubtError } from '@redoubt/errors';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { ParserHost } from '../../parser/start-parser.ts';
import { UnchangedSegmentError, type SourceKind } from '../source.ts';
import {
  commandOf,
  connectorFields,
  readConnectorConnection,
  readStoredConnector,
  requireAllowedStream,
  type Connectors,
  type StoredConnector,
} from './connector-connection.ts';
import { runConnector, type ConnectorItem, type ConnectorTask } from './run-connector.ts';

const FoundStream = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255 }),
  ranges: Type.Optional(
    Type.Array(Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }), range: Type.Unknown() }), {
      minItems: 1,
    }),
  ),
});
type FoundStream = Static<typeof FoundStream>;

/** Names are shown, and a range is found again by its name. */
const hasGoodNames = ({ name, ranges = [] }: FoundStream): boolean => {
  const names = ranges.map((range) => range.name);
  return ![name, ...names].some((one) => /\p{Cc}/u.test(one)) && new Set(names).size === names.length;
};

/** The part of a stream that a segment reads; null for all of it. */
interface SegmentPlace {
  range: unknown;
}

/** Other systems, read by programs that the operator of the server has registered. A segment is a range of a stream. */
export const createConnectorSources = ({
  connectors,
  parserHost,
}: {
  connectors: Connectors;
  parserHost: () => Promise<ParserHost>;
}): SourceKind => {
  async function* run(
    { connector, config = {}, secrets = {} }: StoredConnector,
    task: Pick<ConnectorTask, 'action' | 'checkpoint' | 'range' | 'stream'>,
    name: string,
    signal: AbortSignal,
  ): AsyncGenerator<ConnectorItem> {
    const program = { connector, command: commandOf(connectors, connector) };
    yield* runConnector(await parserHost(), program, { version: 1, ...task, config, secrets }, name, signal);
  }

  async function* discover(stored: StoredConnector, signal: AbortSignal): AsyncGenerator<FoundStream> {
    for await (const item of run(stored, { action: 'discover' }, 'streams', signal)) {
      if (item.kind !== 'stream' || !Value.Check(FoundStream, item.content) || !hasGoodNames(item.content)) {
        throw new RedoubtError(
          'DatasourceError',
          `streams: the connector ${JSON.stringify(stored.connector)} answered discover with something else than streams and ranges with names of their own. Ask the operator of this server to correct the connector.`,
        );
      }
      yield item.content;
    }
  }

  return {
    type: 'OTHER',
    open: (connectionInfo, opened) => {
      const connection = readConnectorConnection(connectionInfo, connectors);
      const { connector, config = {}, stream, incremental = false, changedSinceJob } = connection;
      requireAllowedStream(stream, opened?.allowed ?? null);
      // People who may use a stored connection need not see how many ranges there are, and from where to where.
      const isWhole = incremental || opened !== undefined;
      const segmentOf = (range?: { name: string; range: unknown }) => ({
        name: `${stream}${range === undefined ? '' : ` ${range.name}`}.ndjson`,
        // Secrets change without making another source.
        identity: JSON.stringify([connector, config, stream, range?.name ?? null]),
        place: { range: range?.range ?? null } satisfies SegmentPlace,
      });
      return {
        shown: { connector, stream, ...(incremental ? { incremental } : {}) },
        changedSinceJob,
        continues: incremental ? 'rows' : 'not',
        segments: isWhole ? [segmentOf()] : undefined,
        reading: { format: 'ndjson', encoding: 'utf-8' },
        async *list(signal) {
          if (isWhole) {
            yield segmentOf();
            return;
          }
          for await (const { name, ranges } of discover(connection, signal)) {
            if (name !== stream) continue;
            if (ranges === undefined) yield segmentOf();
            else yield* ranges.map(segmentOf);
            return;
          }
          throw new RedoubtError(
            'DatasourceError',
            `The connector ${JSON.stringify(connector)} has no stream ${JSON.stringify(stream)}. Check stream and config.`,
          );
        },
        async *read(place, { name, signal, known, onVersion }) {
          const { range } = place as SegmentPlace;
          const before = known?.['checkpoint'];
          let checkpoint = before;
          let hasRows = false;
          const since: unknown = before === undefined ? null : JSON.parse(before);
          const task = { action: 'read', stream, range, checkpoint: since } as const;
          for await (const item of run(connection, task, name, signal)) {
            if (item.kind === 'row') {
              hasRows = true;
              yield item.row;
            } else if (item.kind === 'checkpoint') checkpoint = JSON.stringify(item.content);
          }
          if (!incremental) return;
          if (checkpoint === undefined) {
            throw new RedoubtError(
              'DatasourceError',
              `${name}: the connector ${JSON.stringify(connector)} wrote no #checkpoint, so that a later job could not continue. Leave incremental out to read all rows each time.`,
            );
          }
          onVersion({ checkpoint });
          if (!hasRows && before !== undefined) throw new UnchangedSegmentError();
        },
      };
    },
    stored: {
      fields: connectorFields,
      restriction: 'streams',
      computedFields: ['incremental'],
      describe: (stored) => ({ connector: readStoredConnector(stored, connectors).connector }),
      async *find(stored, allowed, signal) {
        for await (const { name } of discover(readStoredConnector(stored, connectors), signal))
          if (allowed === null || allowed.streams?.includes(name) === true) yield name;
      },
    },
  };
};

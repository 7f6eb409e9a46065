import type { Logger } from '../../../platform/log/logger.ts';
import { createOutboundDownload } from '../../../platform/outbound/index.ts';
import { findConfinement, type Confinement } from '../parser/confinement.ts';
import type { ParserHost } from '../parser/start-parser.ts';
import type { Connectors } from './connector/connector-connection.ts';
import { createConnectorSources } from './connector/connector-source.ts';
import { createDatabaseSources } from './database/database-source.ts';
import { createKafkaSources } from './kafka/kafka-source.ts';
import type { OwnStore } from './s3/own-store.ts';
import { createS3Sources } from './s3/s3-source.ts';
import { createSources, type Sources } from './sources.ts';
import { createUrlSources } from './url-source.ts';

export interface WiredSources {
  sources: Sources;
  /** The names of the connectors that the operator offers. */
  connectors: string[];
  /** Where parsers and readers of databases run. */
  parserHost: () => Promise<ParserHost>;
  confinement: () => Promise<Confinement>;
}

/** Wires the kinds of sources, and the processes that read them. */
export const wireSources = ({
  logger,
  allowsPrivate,
  connectors,
  ownStore,
}: {
  logger: Logger;
  /** Whether private networks and this machine are read. */
  allowsPrivate: boolean;
  /** The programs that read other systems. */
  connectors: Connectors;
  /** The bucket of this server's own files, which is no source. */
  ownStore: OwnStore | undefined;
}): WiredSources => {
  let found: Promise<Confinement> | undefined;
  const confinement = (): Promise<Confinement> => (found ??= findConfinement());
  const parserHost = async (): Promise<ParserHost> => ({
    ...(await confinement()),
    report: (why, errors) =>
      logger.warn({ why, errors }, 'a parser process ended before the end of its file'),
  });
  const sources = createSources([
    createUrlSources({ download: createOutboundDownload({ allowsPrivate }), allowsPrivate }),
    createS3Sources({ allowsPrivate, ownStore }),
    createDatabaseSources({ allowsPrivate, parserHost }),
    createKafkaSources({ allowsPrivate, parserHost }),
    createConnectorSources({ connectors, parserHost }),
  ]);
  return { sources, connectors: Object.keys(connectors).toSorted(), parserHost, confinement };
};

import { createAvroMessageReader, type AvroMessage, type AvroMessageReader } from '@redoubt/file-formats';
import { createOutboundDownload, OutboundError } from '../../../../platform/outbound/index.ts';
import { TopicError, type TopicConnection } from './topic-messages.ts';

/** The bytes before a value in the wire format of schema registries: a zero, and the id of its schema. */
const headerBytes = 5;
const maxSchemaBytes = 4_000_000;
const maxSchemas = 1000;

const headerProblem = (value: Buffer): AvroMessage | undefined =>
  value.length < headerBytes || value[0] !== 0
    ? {
        problem:
          'it does not begin with the id of a schema, as values in the wire format of schema registries do',
      }
    : undefined;

/** Reads values that name their schema in a registry. */
export interface SchemaRegistry {
  /** Fetches the schema of a value, if it is not known yet. @throws TopicError if the registry cannot be used */
  prepare(value: Buffer): Promise<void>;
  /** Reads a value that was prepared. */
  read(value: Buffer): AvroMessage;
}

/** @throws TopicError that names the host */
export const createSchemaRegistry = (
  { url, username, password }: NonNullable<TopicConnection['registry']>,
  allowsPrivate: boolean,
): SchemaRegistry => {
  const download = createOutboundDownload({ allowsPrivate });
  const readers = new Map<number, AvroMessageReader | { problem: string }>();
  const headers: Record<string, string> = {
    accept: 'application/vnd.schemaregistry.v1+json, application/json',
    ...(username === undefined
      ? {}
      : { authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` }),
  };
  const host = new URL(url).host;

  const fetchBody = async (id: number): Promise<string | undefined> => {
    const address = `${url.replace(/\/+$/, '')}/schemas/ids/${String(id)}`;
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      const signal = AbortSignal.timeout(30_000);
      for await (const chunk of download({ url: address, headers, signal })) {
        size += chunk.length;
        if (size > maxSchemaBytes) throw new OutboundError(`${host} sends a schema that is too large`);
        chunks.push(chunk);
      }
    } catch (error) {
      if (error instanceof OutboundError && error.message === `${host} answered 404`) return undefined;
      const why = error instanceof OutboundError ? error.message : `${host} did not respond`;
      throw new TopicError(
        `Cannot use the schema registry at ${host}: ${why}. Check registry.url, its user and password, then retry the job.`,
      );
    }
    return Buffer.concat(chunks).toString('utf8');
  };

  const fetchReader = async (id: number): Promise<AvroMessageReader | { problem: string }> => {
    const body = await fetchBody(id);
    if (body === undefined) return { problem: `the registry has no schema ${String(id)}` };
    let sent: { schema?: unknown; schemaType?: unknown; references?: unknown };
    try {
      sent = JSON.parse(body) as typeof sent;
    } catch {
      throw new TopicError(
        `Cannot use the schema registry at ${host}: it sends no JSON. Check registry.url.`,
      );
    }
    const { schema, schemaType = 'AVRO', references = [] } = sent;
    if (schemaType !== 'AVRO' || typeof schema !== 'string')
      return { problem: `schema ${String(id)} is no schema of Avro` };
    if (!Array.isArray(references) || references.length > 0)
      return { problem: `schema ${String(id)} refers to other schemas, which is not supported` };
    const reader = createAvroMessageReader(schema);
    return 'problem' in reader
      ? { problem: `schema ${String(id)} cannot be used: ${reader.problem}` }
      : reader;
  };

  return {
    prepare: async (value) => {
      if (headerProblem(value) !== undefined) return;
      const id = value.readUInt32BE(1);
      if (readers.has(id)) return;
      if (readers.size >= maxSchemas) readers.clear();
      readers.set(id, await fetchReader(id));
    },
    read: (value) => {
      const problem = headerProblem(value);
      if (problem !== undefined) return problem;
      const reader = readers.get(value.readUInt32BE(1));
      if (reader === undefined) throw new Error('A schema was not fetched.');
      return typeof reader === 'function' ? reader(value.subarray(headerBytes)) : reader;
    },
  };
};

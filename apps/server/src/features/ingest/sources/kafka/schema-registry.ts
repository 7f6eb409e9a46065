import { createAvroMessageReader, type AvroMessage, type AvroMessageReader } from '@redoubt/file-formats';
import { createOutboundDownload, OutboundError } from '../../../../platform/outbound/index.ts';
import { ReaderError } from '../reader-error.ts';
import type { TopicConnection } from './topic-messages.ts';

/** The bytes before a value in the wire format of schema registries: a zero, and the id of its schema. */
const headerBytes = 5;
const maxSchemaBytes = 4_000_000;
const maxSchemas = 1000;
/** The schemas to which one refers, directly or through others. */
const maxReferences = 100;

/** What a registry says of a schema. Nothing of it is trusted. */
interface SentSchema {
  schema?: unknown;
  schemaType?: unknown;
  references?: unknown;
}

/** A schema cannot be used, so its messages are rejected. */
class SchemaProblem extends Error {}

const headerProblem = (value: Buffer): AvroMessage | undefined =>
  value.length < headerBytes || value[0] !== 0
    ? {
        problem:
          'it does not begin with the id of a schema, as values in the wire format of schema registries do',
      }
    : undefined;

/** Reads values that name their schema in a registry. */
export interface SchemaRegistry {
  /** Fetches the schema of a value, if it is not known yet. @throws ReaderError if the registry cannot be used */
  prepare(value: Buffer): Promise<void>;
  /** Reads a value that was prepared. */
  read(value: Buffer): AvroMessage;
}

/** @throws ReaderError that names the host */
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

  /** @returns undefined if the registry has nothing there */
  const fetchBody = async (path: string): Promise<string | undefined> => {
    const address = `${url.replace(/\/+$/, '')}${path}`;
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
      throw new ReaderError(
        `Cannot use the schema registry at ${host}: ${why}. Check registry.url, its user and password, then try again.`,
      );
    }
    return Buffer.concat(chunks).toString('utf8');
  };

  /** @param what how messages call the schema */
  const fetchSchema = async (
    path: string,
    what: string,
  ): Promise<{ schema: string; references: unknown[] }> => {
    const body = await fetchBody(path);
    if (body === undefined) throw new SchemaProblem(`the registry has no ${what}`);
    let sent: SentSchema;
    try {
      sent = JSON.parse(body) as SentSchema;
    } catch {
      throw new ReaderError(
        `Cannot use the schema registry at ${host}: it sends no JSON. Check registry.url.`,
      );
    }
    const { schema, schemaType = 'AVRO', references = [] } = sent;
    if (schemaType !== 'AVRO' || typeof schema !== 'string' || !Array.isArray(references))
      throw new SchemaProblem(`${what} is no schema of Avro`);
    return { schema, references };
  };

  /** Fetches the schemas to which one refers, each after those that it refers to itself. */
  const fetchReferences = async (what: string, references: readonly unknown[]): Promise<string[]> => {
    const found: string[] = [];
    const known = new Set<string>();
    let size = 0;
    const add = async (of: string, sent: readonly unknown[]): Promise<void> => {
      for (const one of sent) {
        const { subject, version } = (one ?? {}) as { subject?: unknown; version?: unknown };
        if (typeof subject !== 'string' || !subject.isWellFormed() || !Number.isSafeInteger(version))
          throw new SchemaProblem(`${of} refers to a schema without its subject and version`);
        const path = `/subjects/${encodeURIComponent(subject)}/versions/${String(version)}`;
        if (known.has(path)) continue;
        known.add(path);
        if (known.size > maxReferences)
          throw new SchemaProblem(`${what} refers to more than ${String(maxReferences)} schemas`);
        const named = `version ${String(version)} of ${JSON.stringify(subject.slice(0, 200))}`;
        const referred = await fetchSchema(path, named);
        size += referred.schema.length;
        if (size > maxSchemaBytes) throw new SchemaProblem(`${what} refers to schemas that are too large`);
        await add(named, referred.references);
        found.push(referred.schema);
      }
    };
    await add(what, references);
    return found;
  };

  const fetchReader = async (id: number): Promise<AvroMessageReader | { problem: string }> => {
    const what = `schema ${String(id)}`;
    try {
      const { schema, references } = await fetchSchema(`/schemas/ids/${String(id)}`, what);
      const reader = createAvroMessageReader(schema, await fetchReferences(what, references));
      return 'problem' in reader ? { problem: `${what} cannot be used: ${reader.problem}` } : reader;
    } catch (error) {
      if (error instanceof SchemaProblem) return { problem: error.message };
      throw error;
    }
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

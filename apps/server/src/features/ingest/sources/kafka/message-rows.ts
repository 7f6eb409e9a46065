import { rejectMark, type AvroMessage } from '@redoubt/file-formats';
import type { MessageFormat } from './topic-messages.ts';

/** A message of a topic. */
export interface TopicMessage {
  topic: string;
  partition: number;
  offset: bigint;
  /** In milliseconds; -1 if the message has none. */
  timestamp: bigint;
  key: Buffer | null;
  value: Buffer;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const textOf = (bytes: Buffer): string | undefined => {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
};

/** Maximum number of characters that a reject keeps of a value. */
const maxExcerpt = 8000;

const maxTime = 8_640_000_000_000_000n;

/** The place of a message, before its line. */
const placeOf = ({
  topic,
  partition,
  offset,
}: Pick<TopicMessage, 'offset' | 'partition' | 'topic'>): string =>
  `${topic}/${String(partition)}/${String(offset)} `;

/**
 * The fields of a record that say where it comes from. Gaps in offsets tell how many messages lie between those that a
 * reader sees, so records have them only where the request asks for them.
 */
const fieldsOf = (
  { topic, partition, offset, timestamp, key }: TopicMessage,
  includeOffsets: boolean,
): Record<string, string> => {
  const time = timestamp < 0n || timestamp > maxTime ? null : new Date(Number(timestamp)).toISOString();
  const keyText = key === null ? null : (textOf(key) ?? key.toString('base64'));
  return {
    _topic: JSON.stringify(topic),
    ...(includeOffsets ? { _partition: String(partition), _offset: String(offset) } : {}),
    _timestamp: JSON.stringify(time),
    _key: JSON.stringify(keyText),
  };
};

const membersOfFields = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, json]) => `"${name}":${json}`)
    .join(',');

/** A line of a segment that lists a message without a row. */
export const rejectLine = (
  place: Pick<TopicMessage, 'offset' | 'partition' | 'topic'>,
  problem: string,
  text: string,
): string => {
  const { topic, partition, offset } = place;
  const reason = `topic ${topic}, partition ${String(partition)}, offset ${String(offset)}: ${problem}`;
  return `${placeOf(place)}${rejectMark}${JSON.stringify([reason, text.slice(0, maxExcerpt)])}`;
};

/** The members of an object without its braces, on one line. */
const membersOf = (object: string): string => object.trim().slice(1, -1).trim();

/** How messages become rows. */
export interface MessageOptions {
  format: MessageFormat;
  /** Whether records have the fields `_partition` and `_offset`. */
  includeOffsets: boolean;
}

type Fields = Record<string, string>;

const withValue = (message: TopicMessage, fields: Fields, json: string): string =>
  `${placeOf(message)}{${membersOfFields(fields)},"value":${json}}`;

const withMembers = (
  message: TopicMessage,
  fields: Fields,
  json: string,
  names: readonly string[],
  text: string,
): string => {
  const taken = names.find((name) => Object.hasOwn(fields, name));
  if (taken !== undefined) {
    return rejectLine(
      message,
      `it has the field "${taken}", which says in a record where its message comes from. Rename the field.`,
      text,
    );
  }
  const members = membersOf(json);
  return `${placeOf(message)}{${membersOfFields(fields)}${members === '' ? '' : `,${members}`}}`;
};

const jsonLine = (message: TopicMessage, fields: Fields, text: string): string => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return rejectLine(message, 'its value is not valid JSON.', text);
  }
  // Line ends are only between the parts of valid JSON, where they mean nothing.
  const json = text.replaceAll(/[\n\r]/g, ' ');
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? withMembers(message, fields, json, Object.keys(value), text)
    : withValue(message, fields, json);
};

/**
 * The line of a message: its place, then a row or a reject.
 * @param avro reads the value of a message; undefined for other formats
 */
export const messageLine = (
  message: TopicMessage,
  { format, includeOffsets }: MessageOptions,
  avro: ((value: Buffer) => AvroMessage) | undefined,
): string => {
  const { value } = message;
  const fields = fieldsOf(message, includeOffsets);
  if (avro !== undefined) {
    const read = avro(value);
    if ('problem' in read)
      return rejectLine(message, `its value cannot be read: ${read.problem}.`, value.toString('base64'));
    if (!read.isRecord) return withValue(message, fields, read.json);
    const names = Object.keys(JSON.parse(read.json) as object);
    return withMembers(message, fields, read.json, names, read.json);
  }
  const text = textOf(value);
  if (text === undefined) return rejectLine(message, 'its value is not UTF-8.', value.toString('base64'));
  return format === 'text'
    ? withValue(message, fields, JSON.stringify(text))
    : jsonLine(message, fields, text);
};

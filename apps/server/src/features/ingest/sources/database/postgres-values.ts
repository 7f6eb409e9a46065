import { parse as parseArray } from 'postgres-array';
import { jsonNumber, jsonText, jsonTime, jsonValue } from './json-values.ts';

/** Converts the text of a value that is not null to JSON. */
type ToJson = (text: string) => string;

/** Numbers of built-in types, which never change. */
const oids = {
  boolean: 16,
  bytea: 17,
  json: 114,
  jsonb: 3802,
  numbers: [20, 21, 23, 26, 700, 701, 1700],
  times: [1114, 1184],
};

const bytesText: ToJson = (text) =>
  jsonText(Buffer.from(text.slice(String.raw`\x`.length), 'hex').toString('base64'));

const scalars = new Map<number, ToJson>([
  [oids.boolean, (text) => (text === 't' ? 'true' : 'false')],
  [oids.bytea, bytesText],
  [oids.json, jsonValue],
  [oids.jsonb, jsonValue],
  ...oids.numbers.map((oid): [number, ToJson] => [oid, jsonNumber]),
  ...oids.times.map((oid): [number, ToJson] => [oid, jsonTime]),
]);

type Nested = string | null | Nested[];

const nestedJson = (value: Nested, toJson: ToJson): string => {
  if (value === null) return 'null';
  return Array.isArray(value)
    ? `[${value.map((item) => nestedJson(item, toJson)).join(',')}]`
    : toJson(value);
};

/** The type of the elements of each array type, by their numbers. */
export type ElementTypes = ReadonlyMap<number, number>;

/** The conversion of values of a type. Types that JSON has not are the texts that PostgreSQL writes for them. */
export const postgresJson = (oid: number, elements: ElementTypes): ToJson => {
  const element = elements.get(oid);
  if (element === undefined) return scalars.get(oid) ?? jsonText;
  const toJson = scalars.get(element) ?? jsonText;
  return (text) => nestedJson(parseArray(text), toJson);
};

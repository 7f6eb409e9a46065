import type { TSchema } from 'typebox';

/** A single value in a query string. */
export type ScalarValue = string | number | boolean;
export type ScalarKind = 'integer' | 'number' | 'boolean' | 'text' | 'date-time';

/** The kind and limits that a schema sets for a single value. */
export interface Scalar {
  kind: ScalarKind;
  nullable: boolean;
  /** The allowed values; absent if all values of the kind are allowed. */
  values?: readonly ScalarValue[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** The JSON Schema keywords that `readScalarSchema` supports. */
interface Keywords {
  type?: string;
  format?: string;
  const?: ScalarValue;
  enum?: readonly ScalarValue[];
  anyOf?: readonly TSchema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

const limitKeywords = ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern'] as const;

const kindOfValue = (value: ScalarValue): ScalarKind => {
  if (typeof value === 'string') return 'text';
  return typeof value === 'boolean' ? 'boolean' : 'number';
};

const ofValues = (values: readonly ScalarValue[]): Scalar | undefined => {
  const kinds = new Set(values.map(kindOfValue));
  const [kind] = kinds;
  return kind === undefined || kinds.size > 1 ? undefined : { kind, nullable: false, values };
};

const ofUnion = (variants: readonly TSchema[]): Scalar | undefined => {
  const others = variants.filter((variant) => (variant as Keywords).type !== 'null');
  const scalars = others.map((variant) => readScalarSchema(variant)).filter((scalar) => scalar !== undefined);
  const [first] = scalars;
  if (first === undefined || scalars.length < others.length) return undefined;
  const nullable = others.length < variants.length || scalars.some((scalar) => scalar.nullable);
  if (scalars.length === 1) return { ...first, nullable };
  if (scalars.some((scalar) => scalar.kind !== first.kind)) return undefined;
  const merged: Scalar = { kind: first.kind, nullable };
  if (scalars.some((scalar) => scalar.values === undefined)) return merged;
  return { ...merged, values: scalars.flatMap((scalar) => scalar.values ?? []) };
};

const kindOfType = ({ type, format }: Keywords): ScalarKind | undefined => {
  if (type === 'string') return format === 'date-time' ? 'date-time' : 'text';
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : undefined;
};

/** The kind and limits of a single value, or undefined if the schema is for an array, an object or mixed kinds. */
export const readScalarSchema = (schema: TSchema): Scalar | undefined => {
  const keywords = schema as Keywords;
  if (keywords.const !== undefined) return ofValues([keywords.const]);
  if (keywords.enum !== undefined) return ofValues(keywords.enum);
  if (keywords.anyOf !== undefined) return ofUnion(keywords.anyOf);
  const kind = kindOfType(keywords);
  if (kind === undefined) return undefined;
  const limits = limitKeywords.flatMap((name) =>
    keywords[name] === undefined ? [] : [[name, keywords[name]]],
  );
  return { kind, nullable: false, ...(Object.fromEntries(limits) as Partial<Scalar>) };
};

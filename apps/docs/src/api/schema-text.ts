import type { Schema } from './types.ts';

const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** The type of a value in words: "list of text", "text or null". */
export const typeText = (schema: Schema): string => {
  const { type, anyOf, enum: values, const: constant, format, items, prefixItems } = schema;
  if (schema.$ref !== undefined) return nameOf(schema) ?? 'object';
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeText))].join(' or ');
  if (constant !== undefined) return JSON.stringify(constant);
  if (type === 'array') {
    if (prefixItems !== undefined) return `list of ${prefixItems.map(typeText).join(', ')}`;
    return typeof items === 'object' ? `list of ${typeText(items)}` : 'list';
  }
  if (values !== undefined && type === undefined)
    return values.map((one) => JSON.stringify(one)).join(' or ');
  if (type === undefined) return 'any value';
  return format === undefined ? type : `${type} (${format})`;
};

const range = (least: number | undefined, most: number | undefined, unit: string): string[] => {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
  if (least !== undefined && least !== 0) return [`at least ${least}${unit}`];
  if (least === 0 && unit === '') return ['at least 0'];
  return most === undefined ? [] : [`at most ${most}${unit}`];
};

/** The constraints of a value, without its type. */
export const constraints = (schema: Schema): string[] => {
  const {
    anyOf = [],
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems,
    uniqueItems,
    pattern,
  } = schema;
  // The largest safe integer is no meaningful limit.
  const most = maximum !== undefined && maximum >= Number.MAX_SAFE_INTEGER - 1 ? undefined : maximum;
  const own = [
    ...range(minimum, most, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' entries'),
    ...(uniqueItems === true ? ['each once'] : []),
    ...(pattern === undefined || pattern === String.raw`\S` ? [] : [`matches ${pattern}`]),
  ];
  return [...own, ...anyOf.flatMap((one) => (one.$ref === undefined ? constraints(one) : []))];
};

/** The allowed values, if they are listed. */
export const choices = (schema: Schema): string[] => {
  const own =
    schema.enum === undefined || schema.type === undefined ? [] : schema.enum.map((one) => String(one));
  return [...own, ...(schema.anyOf ?? []).flatMap((one) => (one.$ref === undefined ? choices(one) : []))];
};

/** The description of a schema, or of the variant that is not null. */
export const descriptionOf = (schema: Schema): string =>
  schema.description ?? schema.anyOf?.find(({ description }) => description !== undefined)?.description ?? '';

import type { FieldType } from '../storage/field-type.ts';
import { parseTimestampMicros } from '../values/timestamps.ts';

/** A condition on a field, as in requests for rows. */
interface RowFilter {
  readonly field: string;
  readonly operator: 'at-least' | 'at-most' | 'contains' | 'is' | 'is-not' | 'less-than';
  readonly values: readonly (string | null)[];
}

interface RowSort {
  readonly field: string;
  readonly direction: 'ascending' | 'descending';
}

/** A field as statements name it. */
export interface StatementField {
  path: string;
  type: FieldType;
}

const internalFields: readonly StatementField[] = [
  { path: '_koverse_record_id', type: 'text' },
  { path: '_koverse_timestamp', type: 'timestamp' },
];

/** Finds a field by its exact name. A field that is hidden from the reader is not among `fields`. */
export const findField = (fields: readonly StatementField[], name: string): StatementField | undefined =>
  // SQL cannot name other columns.
  name.includes('\0') || !name.isWellFormed()
    ? undefined
    : (fields.find(({ path }) => path === name) ?? internalFields.find(({ path }) => path === name));

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The field as an expression of type text. */
export const textOf = ({ path, type }: StatementField): string =>
  type === 'text' ? quoteName(path) : `${quoteName(path)}::text`;

/** The field as an expression that can be compared, grouped and sorted. */
export const comparable = (field: StatementField): string =>
  field.type === 'jsonb' ? textOf(field) : quoteName(field.path);

const numberPattern = /^-?\d{1,60}(?:\.\d{1,60})?(?:[eE][+-]?\d{1,3})?$/;

const timestampLiteral = (text: string): string | undefined => {
  const micros = parseTimestampMicros(text);
  if (micros === undefined) return undefined;
  const seconds = micros / 1_000_000n - (micros % 1_000_000n < 0n ? 1n : 0n);
  const fraction = (micros - seconds * 1_000_000n).toString().padStart(6, '0');
  const instant = new Date(Number(seconds) * 1000).toISOString();
  return /^\d{4}/.test(instant) ? `timestamp '${instant.slice(0, 19)}.${fraction}'` : undefined;
};

/** The literal of a value, to be compared with the field; undefined if the field's type has no such value. */
export const literalFor = ({ type }: StatementField, value: string): string | undefined => {
  switch (type) {
    case 'bigint':
    case 'numeric':
    case 'double precision':
      return numberPattern.test(value) && Number.isFinite(Number(value)) ? value : undefined;
    case 'boolean':
      return value === 'true' || value === 'false' ? value : undefined;
    case 'timestamp':
      return timestampLiteral(value);
    case 'jsonb':
    case 'text':
      return value.includes('\0') || !value.isWellFormed() ? undefined : quoteText(value);
  }
};

const comparisons = { 'at-least': '>=', 'at-most': '<=', 'less-than': '<' } as const;

const oneOf = (field: StatementField, values: readonly (string | null)[]): string => {
  const literals = values.flatMap((value) => (value === null ? [] : (literalFor(field, value) ?? [])));
  const parts = [
    ...(literals.length === 0 ? [] : [`${comparable(field)} IN (${literals.join(', ')})`]),
    ...(values.includes(null) ? [`${quoteName(field.path)} IS NULL`] : []),
  ];
  return parts.length === 0 ? 'false' : parts.join(' OR ');
};

const contains = (field: StatementField, values: readonly (string | null)[]): string => {
  const parts = values.flatMap((value) =>
    value === null || value.includes('\0') || !value.isWellFormed()
      ? []
      : [`strpos(lower(${textOf(field)}), lower(${quoteText(value)})) > 0`],
  );
  return parts.length === 0 ? 'false' : parts.join(' OR ');
};

/** The condition of a filter. It may be NULL for a record, which then does not satisfy it. */
const conditionOf = (
  fields: readonly StatementField[],
  { field: name, operator, values }: RowFilter,
): string => {
  const field = findField(fields, name);
  if (field === undefined) {
    // No record has a value in the field.
    const hasNull = values.includes(null);
    return String(operator === 'is' ? hasNull : operator === 'is-not' ? !hasNull : false);
  }
  switch (operator) {
    case 'is':
      return oneOf(field, values);
    case 'is-not':
      return `coalesce(NOT (${oneOf(field, values)}), ${String(!values.includes(null))})`;
    case 'contains':
      return contains(field, values);
    case 'at-least':
    case 'at-most':
    case 'less-than': {
      const [value = null] = values;
      const literal = value === null || values.length > 1 ? undefined : literalFor(field, value);
      return literal === undefined ? 'false' : `${comparable(field)} ${comparisons[operator]} ${literal}`;
    }
  }
};

/** The WHERE clause of filters, with a space before it; empty without filters. */
export const whereClause = (fields: readonly StatementField[], filters: readonly RowFilter[] = []): string =>
  filters.length === 0
    ? ''
    : ` WHERE ${filters.map((filter) => `(${conditionOf(fields, filter)})`).join(' AND ')}`;

/** The ORDER BY clause, with a space before it. Fields that no visible record has do not sort. */
export const orderClause = (fields: readonly StatementField[], sort: readonly RowSort[] = []): string => {
  const keys = sort.flatMap(({ field: name, direction }) => {
    const field = findField(fields, name);
    if (field === undefined) return [];
    return [`${comparable(field)} ${direction === 'ascending' ? 'ASC' : 'DESC'} NULLS LAST`];
  });
  return keys.length === 0 ? '' : ` ORDER BY ${keys.join(', ')}`;
};

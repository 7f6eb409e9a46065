import { letIn } from './expressions/engine-sql.ts';
import type { PathEntry } from '../compile/search-types.ts';
import type { FieldType } from '../storage/field-type.ts';
import { quoteIdentifier, quoteString } from '../storage/quoting.ts';
import {
  fieldCode,
  isDocPath,
  kindBit,
  kinds,
  overflowCode,
  numberFlagBits,
  numericScale,
  recordColumns,
  type Kind,
  type NumberFlag,
} from '../storage/record-columns.ts';
import { numericType, toScalarType as scalarType, type SqlType } from './types.ts';
import { compileValueAtPath } from './value-text.ts';

/** A field with the kinds of its values. It may have kinds that only hidden records have. */
export interface ColumnPath extends PathEntry {
  path: string;
}

/**
 * Compiles the expression for the value at a path as a typed column. It never fails, and its engine type is exactly
 * that of the SQL type (see `engineType`; numeric has the scale `numericScale`). Values of another type, and values
 * inside arrays, are NULL.
 * @param type the result of `fieldTypeOf` for the records that the reader can see
 * @param raw the name of the visible text of the record, from `compileVisibleText`
 */
export function columnExpression(column: ColumnPath, type: FieldType, raw: string): string {
  const { path } = column;
  switch (type) {
    case 'bigint':
      return isDocPath(path) ? scalar(path, 'Int64') : 'CAST(NULL AS Nullable(Int64))';
    case 'boolean':
      return isDocPath(path) ? scalar(path, 'Bool') : 'CAST(NULL AS Nullable(Bool))';
    case 'double precision':
      return isDocPath(path) ? double(column) : 'CAST(NULL AS Nullable(Float64))';
    case 'numeric':
      return isDocPath(path) ? decimal(column) : decimalOf("''");
    case 'timestamp':
      return timestamp(column);
    case 'jsonb':
      return compileValueAtPath(path, raw);
    case 'text':
      return text(column, raw);
  }
}

const has = ({ kinds: seen }: PathEntry, ...wanted: (Kind | NumberFlag)[]): boolean =>
  wanted.some((kind) => (seen & kindBit(kind)) !== 0);

const scalar = (path: string, type: 'Bool' | 'Float64' | 'Int64' | 'String' | 'UInt64'): string =>
  `${recordColumns.doc}.${path.split('.').map(quoteIdentifier).join('.')}.:${type}`;

const firstOf = (values: readonly string[]): string =>
  values.length === 1 ? (values[0] ?? 'NULL') : `coalesce(${values.join(', ')})`;

const double = (column: ColumnPath): string => {
  const { path } = column;
  return firstOf([
    scalar(path, 'Float64'),
    `toFloat64(${scalar(path, 'Int64')})`,
    ...(has(column, numberFlagBits.unsigned) ? [`toFloat64(${scalar(path, 'UInt64')})`] : []),
  ]);
};

const decimalOf = (sql: string): string => `toDecimal256OrNull(${sql}, ${String(numericScale)})`;

function decimal(column: ColumnPath): string {
  const { path } = column;
  return firstOf([
    `toDecimal256(${scalar(path, 'Int64')}, ${String(numericScale)})`,
    ...(has(column, numberFlagBits.unsigned)
      ? [`toDecimal256(${scalar(path, 'UInt64')}, ${String(numericScale)})`]
      : []),
    ...(has(column, kinds.float) ? [decimalOf(`toString(${scalar(path, 'Float64')})`)] : []),
    ...(has(column, kinds.big) ? [decimalOf(bigText(column))] : []),
  ]);
}

/**
 * Compiles the text of the big number at the path; an empty text without one. Big numbers inside arrays have the same
 * code in the overflow columns, so a condition on `fields` checks that the number is outside of arrays.
 */
function bigText({ pathId }: PathEntry): string {
  const { fields, looseCode: codes, looseText } = recordColumns;
  const outsideArrays = [true, false].map((top) => String(fieldCode(pathId, kinds.big, top))).join(', ');
  const found = `${looseText}[indexOf(${codes}, ${String(overflowCode(pathId, kinds.big))})]`;
  return `if(hasAny(${fields}, [${outsideArrays}]), ${found}, '')`;
}

function timestamp({ pathId }: PathEntry): string {
  const { timePath, timeMicros } = recordColumns;
  const at = `indexOf(${timePath}, ${String(pathId)})`;
  return `if(${at} = 0, NULL, fromUnixTimestamp64Micro(${timeMicros}[${at}], 'UTC'))`;
}

/** Compiles a string value to its text, and any other value to its JSON text. */
function text(column: ColumnPath, raw: string): string {
  const { path } = column;
  const inDoc = isDocPath(path);
  const others = Object.values(kinds).filter(
    (kind) => kind !== kinds.null && kind !== kinds.text && kind !== kinds.timestamp,
  );
  if (inDoc && !has(column, ...others)) return scalar(path, 'String');
  const plain = letIn(
    { _j: compileValueAtPath(path, raw) },
    `if(startsWith(_j, ${quoteString('"')}), JSONExtractString(_j), _j)`,
  );
  return inDoc ? `ifNull(${scalar(path, 'String')}, ${plain})` : plain;
}

/** The SQL type of a field's column. */
export const columnType = (type: FieldType): SqlType =>
  type === 'numeric' ? numericType(numericScale) : scalarType(type);

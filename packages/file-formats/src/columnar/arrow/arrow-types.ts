import { DataType, type Field } from 'apache-arrow';
import type { Column } from '../../file-format.ts';
import { UnsupportedFile } from '../damaged-file.ts';

/** The JSON form of the values of a type. */
export function columnTypeOf(type: DataType): Column['type'] {
  if (DataType.isDictionary(type)) return columnTypeOf(type.dictionary as DataType);
  if (DataType.isInt(type)) return 'integer';
  if (DataType.isFloat(type)) return 'number';
  if (DataType.isDecimal(type)) return 'number';
  if (DataType.isBool(type)) return 'boolean';
  if (DataType.isDate(type)) return 'date';
  if (DataType.isTimestamp(type)) return 'timestamp';
  const isNested =
    DataType.isNull(type) ||
    DataType.isList(type) ||
    DataType.isLargeList(type) ||
    DataType.isFixedSizeList(type) ||
    DataType.isStruct(type) ||
    DataType.isMap(type) ||
    DataType.isUnion(type);
  return isNested ? 'json' : 'text';
}

/** @throws UnsupportedFile when types are nested too deeply */
export function checkNesting(fields: readonly Field[], left: number): void {
  if (left === 0) throw new UnsupportedFile('its columns are nested too deep. Write them with fewer levels.');
  for (const { type } of fields) checkNesting((type.children as Field[] | null) ?? [], left - 1);
}

/** The name of an extension type that a program declared for a field. */
export const extensionOf = (field: Field): string | undefined => field.metadata.get('ARROW:extension:name');

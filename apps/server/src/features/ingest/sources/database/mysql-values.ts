import mysql, { type FieldPacket } from 'mysql2';
import { floatText } from './mysql-floats.ts';
import { jsonNumber, jsonText, jsonTime, jsonValue } from './json-values.ts';

const { Types } = mysql;

/** Converts the bytes of a value that is not null to JSON. */
type ToJson = (bytes: Buffer) => string;

/** The character set of bytes that are no text. */
const binary = 63;

const textOf: ToJson = (bytes) => jsonText(bytes.toString('utf8'));
const bytesOf: ToJson = (bytes) => jsonText(bytes.toString('base64'));
/** Columns with ZEROFILL have zeros in front, which JSON numbers cannot have. */
const numberOf: ToJson = (bytes) => jsonNumber(bytes.toString('latin1').replace(/^(-?)0+(?=\d)/, '$1'));
const floatOf: ToJson = (bytes) => jsonNumber(floatText(bytes.toString('latin1')));
const bitsOf: ToJson = (bytes) => BigInt(`0x${bytes.toString('hex')}`).toString();

const byType = new Map<number | undefined, ToJson>([
  ...[
    Types.DECIMAL,
    Types.NEWDECIMAL,
    Types.TINY,
    Types.SHORT,
    Types.LONG,
    Types.LONGLONG,
    Types.INT24,
    Types.FLOAT,
    Types.DOUBLE,
    Types.YEAR,
  ].map((type): [number, ToJson] => [type, numberOf]),
  [Types.BIT, bitsOf],
  [Types.DATETIME, (bytes) => jsonTime(bytes.toString('latin1'))],
  // Of the session's time zone, which is UTC.
  [Types.TIMESTAMP, (bytes) => jsonTime(`${bytes.toString('latin1')}+00`)],
  ...[Types.DATE, Types.NEWDATE, Types.TIME].map((type): [number, ToJson] => [type, textOf]),
  [Types.JSON, (bytes) => jsonValue(bytes.toString('utf8'))],
  [Types.GEOMETRY, bytesOf],
]);

/**
 * The conversion of the values of a column.
 * @param isFloat whether it is a FLOAT that is selected as a double
 */
export const mysqlJson = ({ columnType, characterSet }: FieldPacket, isFloat: boolean): ToJson =>
  isFloat ? floatOf : (byType.get(columnType) ?? (characterSet === binary ? bytesOf : textOf));

import { parseResponse, type ResponseValue } from './response-value.ts';
import { postgresArray } from './postgres-array.ts';

/** The type ids of PostgreSQL's arrays, with the type ids of their elements. */
export const elementTypes: Readonly<Record<number, number>> = {
  1000: 16,
  1005: 21,
  1007: 23,
  1009: 25,
  1015: 1043,
  1016: 20,
  1187: 1186,
  1022: 701,
  1115: 1114,
  1182: 1082,
  1231: 1700,
};

const numbers: ReadonlySet<number> = new Set([20, 21, 23, 701, 1700]);

/** Equal numbers agree in this many digits, except for rare cases at the edge of rounding. */
const digitsOfKey = 9;
/** The length of a timestamp up to its minutes. Redoubt and PostgreSQL print the rest differently. */
const lettersOfKey = 16;

const ofNumber = (digits: string): string => {
  const number = Number(digits);
  return Number.isFinite(number) ? number.toPrecision(digitsOfKey) : 'null';
};

const ofText = (text: string): string =>
  /^-?\d+\.\d/.test(text) ? ofNumber(text) : JSON.stringify(text.slice(0, lettersOfKey).replace('T', ' '));

/** A key that nearly all equal values share, to find matching rows quickly. */
export function responseValueKey(value: ResponseValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return ofText(value);
  if (Array.isArray(value)) return `[${value.map(responseValueKey).join()}]`;
  if (typeof value['digits'] === 'string') return ofNumber(value['digits']);
  const members = Object.entries(value as Record<string, ResponseValue>);
  return `{${members
    .map(([name, member]) => `${JSON.stringify(name)}:${responseValueKey(member)}`)
    .toSorted()
    .join()}}`;
}

/** The same key for a value as PostgreSQL prints it. */
export function expectedValueKey(type: number, text: string | null): string {
  if (text === null) return 'null';
  const element = elementTypes[type];
  if (element !== undefined)
    return `[${postgresArray(text)
      .map((each) => expectedValueKey(element, each))
      .join()}]`;
  if (type === 16) return String(text === 't');
  if (type === 3802) return responseValueKey(parseResponse(text)[0] ?? null);
  return numbers.has(type) ? ofNumber(text) : ofText(text);
}

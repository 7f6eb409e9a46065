/** How the values of databases become JSON, as those of columnar files do: all digits stay. */

export const jsonText = (text: string): string => JSON.stringify(text);

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number with all its digits. NaN and infinity, which JSON has not, are texts. */
export const jsonNumber = (text: string): string => (number.test(text) ? text : jsonText(text));

/** A JSON value on one line: line ends are only between its parts, where they mean nothing. */
export const jsonValue = (text: string): string => text.replaceAll(/[\n\r]/g, ' ');

/** A time with `T` between day and time, and `Z` for UTC. Others, such as `infinity` and years BC, stay as they are. */
export const jsonTime = (text: string): string =>
  jsonText(text.replace(/^(\d{4,6}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(?:\+00(?::?00)?)?$/, toIso));

const toIso = (whole: string, day: string, time: string): string =>
  `${day}T${time}${whole.endsWith('00') && /\+00(?::?00)?$/.test(whole) ? 'Z' : ''}`;

/** The text of a JSON object. @param values texts of JSON */
export const jsonObject = (names: readonly string[], values: readonly string[]): string =>
  `{${names.map((name, index) => `${jsonText(name)}:${values[index] ?? 'null'}`).join(',')}}`;

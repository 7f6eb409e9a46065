/** A value such as `form-data; name="files"`. */
export interface HeaderValue {
  /** In lower case. */
  value: string;
  /** By name, in lower case. */
  parameters: ReadonlyMap<string, string>;
}

export const headerToken = "[!#$%&'*+.^_`|~\\w-]+";
const leadingValue = new RegExp(`[ \\t]*(${headerToken}(?:/${headerToken})?)[ \\t]*`, 'y');
const parameter = new RegExp(
  `;[ \\t]*(${headerToken})[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s";]*))[ \\t]*`,
  'y',
);

/** The beginning of what was sent, for a message. */
export const quote = (text: string): string => JSON.stringify(text.slice(0, 80));

/**
 * Parses `value; name=text; name="text"`.
 * @param header the name of the header, for messages
 * @throws the error that `errorOf` makes, for everything that is not understood
 */
export const parseHeaderValue = (
  header: string,
  text: string,
  errorOf: (problem: string) => Error,
): HeaderValue => {
  leadingValue.lastIndex = 0;
  const value = leadingValue.exec(text)?.[1];
  if (value === undefined) throw errorOf(`${header} must begin with its type, got ${quote(text)}`);
  const parameters = new Map<string, string>();
  let at = leadingValue.lastIndex;
  while (at < text.length && text.slice(at).trim() !== ';') {
    parameter.lastIndex = at;
    const [, sent, quoted, plain] = parameter.exec(text) ?? [];
    if (sent === undefined)
      throw errorOf(`${header} must have parameters like name="value", got ${quote(text.slice(at))}`);
    const name = sent.toLowerCase();
    if (parameters.has(name)) throw errorOf(`${header} must have ${name} once, got it twice`);
    // Browsers send the backslashes of file names as they are.
    parameters.set(name, quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\(["\\])/g, '$1'));
    at = parameter.lastIndex;
  }
  return { value: value.toLowerCase(), parameters };
};

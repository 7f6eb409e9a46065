/** A wildcard: as a value, as a key (more keys may follow), at the end of a list, or inside a text. */
const anything = '…';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const show = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

const matchesText = (expected: string, actual: unknown): boolean => {
  if (typeof actual !== 'string') return false;
  const parts = expected
    .split(anything)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(actual);
};

const compareLists = (expected: readonly unknown[], actual: unknown, at: string): string[] => {
  if (!Array.isArray(actual)) return [`${at}: expected a list, got ${show(actual)}`];
  const isOpen = expected.at(-1) === anything;
  const wanted = isOpen ? expected.slice(0, -1) : expected;
  if (isOpen ? actual.length < wanted.length : actual.length !== wanted.length) {
    return [`${at}: expected ${wanted.length} entries, got ${actual.length}`];
  }
  return wanted.flatMap((each, index) => differences(each, actual[index], `${at}[${index}]`));
};

const compareObjects = (expected: Json, actual: unknown, at: string): string[] => {
  if (!isObject(actual)) return [`${at}: expected an object, got ${show(actual)}`];
  const keys = Object.keys(expected).filter((key) => key !== anything);
  const unexpected = Object.keys(actual).filter((key) => !keys.includes(key));
  return [
    ...keys.flatMap((key) => differences(expected[key], actual[key], `${at}.${key}`)),
    ...(Object.hasOwn(expected, anything) ? [] : unexpected).map(
      (key) => `${at}.${key}: not expected, got ${show(actual[key])}`,
    ),
  ];
};

/** The differences of a response from the one on the page, one line each. */
export const differences = (expected: unknown, actual: unknown, at = '$'): string[] => {
  if (expected === anything) return actual === undefined ? [`${at}: missing`] : [];
  if (Array.isArray(expected)) return compareLists(expected, actual, at);
  if (isObject(expected)) return compareObjects(expected, actual, at);
  const isSame = typeof expected === 'string' ? matchesText(expected, actual) : expected === actual;
  return isSame ? [] : [`${at}: expected ${show(expected)}, got ${show(actual)}`];
};

import { createJsonScanner, JsonSyntaxError } from '../json/json-scanner.ts';
import { registeredFormats } from '../registered-formats.ts';

/** The format that the ending of a file's name stands for; undefined if it is unknown. */
function formatByName(fileName: string): string | undefined {
  const lower = fileName.toLowerCase();
  return registeredFormats.find(
    ({ extensions, isContainer }) =>
      isContainer !== true && extensions.some((extension) => lower.endsWith(extension)),
  )?.name;
}

/** Detects the format of a text by its content. If several formats fit, the file's name decides. */
export function detectTextFormat(sample: string, isWhole: boolean, fileName: string): string | undefined {
  const named = formatByName(fileName);
  const start = sample.search(/[^ \t\r\n]/);
  const first = start < 0 ? '' : sample.charAt(start);
  if (first === '\u001e') return 'ndjson';
  if (first === '[' || first === '{') {
    const json = detectJson(sample, start, isWhole, named);
    if (json !== undefined) return json;
  }
  if (first === '<' && /^<(\?xml|!DOCTYPE|!--|[\p{L}_])/u.test(sample.slice(start, start + 20))) {
    return named === 'csv' || named === 'tsv' ? named : 'xml';
  }
  if (sample.startsWith('%YAML ')) return 'yaml';
  return named !== undefined && textFormats.has(named) ? named : undefined;
}

const textFormats = new Set(['csv', 'tsv', 'json', 'ndjson', 'geojson', 'xml', 'yaml']);
const jsonNames = new Set(['json', 'ndjson', 'geojson']);

/** Which kind of JSON a text is; undefined if neither the text nor the name indicates JSON. */
function detectJson(
  sample: string,
  start: number,
  isWhole: boolean,
  named: string | undefined,
): string | undefined {
  if (named === 'ndjson') return named;
  const isNamedJson = named !== undefined && jsonNames.has(named);
  const scanner = createJsonScanner('features');
  try {
    if (!scanner.scan(sample, start, isWhole)) return isFeatureCollection(sample, start) ? 'geojson' : 'json';
    const { end, kind, hasWantedKey } = scanner.value;
    if (kind === 'object' && hasWantedKey && isFeatureCollection(sample, start)) return 'geojson';
    const behind = /^[ \t\r]*(\n\s*(\S)?)?/.exec(sample.slice(end));
    return behind?.[1] !== undefined && behind[2] !== undefined && !/[\r\n]/.test(sample.slice(start, end))
      ? 'ndjson'
      : 'json';
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (isNamedJson) return 'json';
    // A table may begin with a bracket, too.
    return named === undefined ? 'json' : undefined;
  }
}

/** Whether an object that may be cut off is a FeatureCollection, by the members before its first feature. */
function isFeatureCollection(sample: string, start: number): boolean {
  const before = /^\{[^[]*"features"\s*:\s*\[/.exec(sample.slice(start));
  if (before === null) return /"type"\s*:\s*"FeatureCollection"/.test(sample.slice(start, start + 1000));
  return (
    /"type"\s*:\s*"FeatureCollection"/.test(before[0]) ||
    /^\s*\{\s*"type"\s*:\s*"Feature"/.test(sample.slice(start + before[0].length))
  );
}

import { securityError, type RedoubtError } from '@redoubt/errors';
import { parseLabelText } from '../labeller/parse-label-text.ts';

const maxColumns = 1000;
const maxPathLength = 1000;
/** Compiled SQL grows with the depth of hidden paths, and the engine limits the depth to a few dozen. */
const maxPathKeys = 20;
/** The accepted keys of a column's label. Exactly one of them must be present. */
const labelKeys = new Set(['securityLabel', 'label']);

const platformPrefix = '_koverse_';

function fieldError(field: string, predicate: string): RedoubtError {
  const message = `${field} ${predicate}`;
  return securityError(message, [{ field, message }]);
}

function quote(value: unknown): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) return 'nothing';
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkPath(path: string, field: string): void {
  if (path.startsWith(platformPrefix)) {
    throw fieldError(field, `must not label fields of the platform, got ${quote(path)}. Leave it out.`);
  }
  if (path.length > maxPathLength) {
    throw fieldError(
      field,
      `must have paths of at most ${String(maxPathLength)} characters, got ${quote(path)}. Label an object that contains it.`,
    );
  }
  if (path.split('.').length > maxPathKeys) {
    throw fieldError(
      field,
      `must have paths of at most ${String(maxPathKeys)} keys, got ${quote(path)}. Label an object that contains it.`,
    );
  }
  if (!path.isWellFormed()) {
    throw fieldError(
      field,
      `must have paths in valid Unicode, got ${quote(path)} with half of a surrogate pair. Send the whole character.`,
    );
  }
}

function parseColumnLabel(value: unknown, field: string, canBeEmpty: boolean): string {
  if (!isObject(value)) {
    throw fieldError(
      field,
      `must be an object such as {"securityLabel":"A&B"}, got ${quote(value)}. Send an object.`,
    );
  }
  const keys = Object.keys(value);
  const unknown = keys.find((key) => !labelKeys.has(key));
  if (unknown !== undefined) {
    throw fieldError(field, `must have the key "securityLabel" alone, got ${quote(unknown)}. Leave it out.`);
  }
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    throw fieldError(field, `must have one label, got ${quote(value)}. Send it once, as "securityLabel".`);
  }
  const text = value[key] ?? '';
  if (typeof text !== 'string')
    throw fieldError(`${field}.${key}`, `must be a string, got ${quote(text)}. Send a label.`);
  const parsed = parseLabelText(text);
  if (parsed.kind === 'error') throw fieldError(`${field}.${key}`, parsed.predicate);
  if (parsed.label === '' && !canBeEmpty) {
    throw fieldError(
      `${field}.${key}`,
      'must be a label, got the empty string. A write cannot remove labels; use PATCH /write/schema/{datasetId}.',
    );
  }
  return parsed.label;
}

/**
 * Parses the column labels of a request, such as `{"salary":{"securityLabel":"HR"}}`.
 * @param input what the client sent, unchecked
 * @param name the name of the input in error messages
 * @param canBeEmpty whether an empty label is allowed; it means "remove the label"
 * @returns canonical labels by path
 * @throws SecurityError 400 for invalid input, including any unknown part
 */
export function parseColumnLabelInfo(input: unknown, name: string, canBeEmpty: boolean): Map<string, string> {
  if (!isObject(input)) {
    throw fieldError(
      name,
      `must be an object with a label for each column, got ${quote(input)}. Send an object or leave it out.`,
    );
  }
  const entries = Object.entries(input);
  if (entries.length > maxColumns) {
    throw fieldError(
      name,
      `must have at most ${String(maxColumns)} columns, got ${String(entries.length)}. Send several requests.`,
    );
  }
  return new Map(
    entries.map(([path, value]) => {
      checkPath(path, name);
      return [path, parseColumnLabel(value, `${name}.${path}`, canBeEmpty)];
    }),
  );
}

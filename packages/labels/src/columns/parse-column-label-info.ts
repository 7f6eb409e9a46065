import { securityError, type RedoubtError } from '@redoubt/errors';
import { parseLabelText } from '../labeller/parse-label-text.ts';

const maxColumns = 1000;
const maxPathLength = 1000;
/** Statements grow with the depth of what is hidden from their reader, and the engine takes no more of a few dozen. */
const maxPathKeys = 20;
/** The names under which the label of a column may stand: one of them does. */
const labelKeys = new Set(['securityLabel', 'label']);

const platformPrefix = '_koverse_';

function wrong(field: string, message: string): RedoubtError {
  return securityError(`${field}: ${message}`, [{ field, message }]);
}

function sent(value: unknown): string {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) return 'nothing';
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkPath(path: string, field: string): void {
  if (path.startsWith(platformPrefix)) {
    throw wrong(field, `${sent(path)} is a field of the platform, which takes no label of its own.`);
  }
  if (path.length > maxPathLength) {
    throw wrong(field, `${sent(path)} is longer than the ${String(maxPathLength)} characters of a path.`);
  }
  if (path.split('.').length > maxPathKeys) {
    throw wrong(
      field,
      `${sent(path)} has more than the ${String(maxPathKeys)} keys of a path that can be labelled; label an object that it is in.`,
    );
  }
  if (!path.isWellFormed()) {
    throw wrong(
      field,
      `${sent(path)} holds half of a character, so it names no column that can be labelled.`,
    );
  }
}

function readLabel(value: unknown, field: string, mayBeEmpty: boolean): string {
  if (!isObject(value)) {
    throw wrong(field, `${sent(value)} was sent; send an object such as {"securityLabel":"A&B"}.`);
  }
  const keys = Object.keys(value);
  const unknown = keys.find((key) => !labelKeys.has(key));
  if (unknown !== undefined) {
    throw wrong(field, `${sent(unknown)} is no key of it; the label stands under "securityLabel".`);
  }
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    throw wrong(field, `${sent(value)} was sent; send the label once, under "securityLabel".`);
  }
  const text = value[key] ?? '';
  if (typeof text !== 'string') throw wrong(`${field}.${key}`, `${sent(text)} was sent; send a text.`);
  const reading = parseLabelText(text);
  if (reading.kind === 'fault') throw wrong(`${field}.${key}`, reading.message);
  if (reading.label === '' && !mayBeEmpty) {
    throw wrong(
      `${field}.${key}`,
      'it is empty, and a write takes no label away; PATCH /write/schema/{datasetId} does.',
    );
  }
  return reading.label;
}

/**
 * Reads labels of columns, whatever is sent as them: canonical labels by path, the empty text where a label is to go.
 * @param name what the input is called in messages
 * @param mayBeEmpty whether labels may be taken away
 * @throws SecurityError 400 for anything that is not understood
 */
export function parseColumnLabelInfo(input: unknown, name: string, mayBeEmpty: boolean): Map<string, string> {
  if (!isObject(input)) {
    throw wrong(name, `${sent(input)} was sent; send an object of columns by name, each with its label.`);
  }
  const entries = Object.entries(input);
  if (entries.length > maxColumns) {
    throw wrong(name, `${String(entries.length)} columns were sent; send at most ${String(maxColumns)}.`);
  }
  return new Map(
    entries.map(([path, value]) => {
      checkPath(path, name);
      return [path, readLabel(value, `${name}.${path}`, mayBeEmpty)];
    }),
  );
}

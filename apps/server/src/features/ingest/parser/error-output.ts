import type { Readable } from 'node:stream';

/** Maximum number of characters that are examined. */
const maxLength = 16_000;
const maxLines = 20;

const errorName = /^(?:Uncaught )?((?:[A-Z][A-Za-z]{0,40})?Error(?: \[[A-Z_]{1,60}\])?)(?::|$)/;
const stackFrame =
  /^\s{2,8}(at (?:(?:async |new )?[\w$.<>#]{1,100}(?: \[as [\w$.]{1,60}\])? )?\(?(?:file|node):[\w./:@+-]{1,300}\)?)$/;
const engineError = /^(FATAL ERROR: [A-Za-z0-9 :'_-]{1,200})$/;

/**
 * Extracts from the error output of a parser what the log may contain: names of errors, positions in the code, and why
 * the JavaScript engine ended the process. Messages are left out, because they may quote the file.
 */
export const describeErrorOutput = (text: string): string[] =>
  text
    .slice(0, maxLength)
    .split('\n')
    .flatMap((line) => [errorName, stackFrame, engineError].flatMap((form) => form.exec(line)?.[1] ?? []))
    .slice(0, maxLines);

/**
 * Reads error output to its end, and keeps its beginning.
 * @returns a function that returns what has been kept so far
 */
export const keepErrorOutput = (stream: Readable | null): (() => string) => {
  let kept = '';
  stream?.setEncoding('latin1').on('data', (text: string) => {
    if (kept.length < maxLength) kept += text.slice(0, maxLength - kept.length);
  });
  // A killed process may leave the pipe open.
  stream?.on('error', () => undefined);
  return () => kept;
};

import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';

export type Logger = FastifyBaseLogger;

/**
 * How the log describes an error: by its type, codes and stack, without its message, in which an engine may quote
 * values, labels or statements.
 */
const describeError = (error: Error): object => ({
  type: error.name,
  ...('code' in error ? { code: error.code } : {}),
  stack: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
  ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
});

/** Logs lines of JSON to standard output, without values, labels, query texts or secrets. */
export const createLogger = (level: string, destination?: { write(line: string): void }): Logger =>
  pino({ level, base: null, serializers: { err: describeError } }, destination);

import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';

/** The log of the server. */
export type Logger = FastifyBaseLogger;

/**
 * What the log says of a fault: its kind, codes and stack, and not its message, in which an engine may quote
 * values, labels or statements.
 */
const describeError = (error: Error): object => ({
  type: error.name,
  ...('code' in error ? { code: error.code } : {}),
  stack: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
  ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
});

/** Lines of JSON on standard output, without values, labels, query texts or secrets. */
export const createLogger = (level: string, destination?: { write(line: string): void }): Logger =>
  pino({ level, base: null, serializers: { err: describeError } }, destination);

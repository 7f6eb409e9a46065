import { RedoubtError } from '@redoubt/errors';
import { UnsupportedSqlError } from '@redoubt/query';

/**
 * The record engine cannot be opened. `heldBy` is the id of the process that has the folder open, if that is the
 * reason.
 */
export class EngineOpenError extends Error {
  override readonly name = 'EngineOpenError';
  readonly heldBy: number | undefined;

  constructor(message: string, heldBy: number | undefined, cause: unknown) {
    super(message, { cause });
    this.heldBy = heldBy;
  }
}

/**
 * An error of the engine that no request caused. The engine's own text is left out, because it may contain stored
 * values.
 */
export class EngineError extends Error {
  override readonly name = 'EngineFault';
  /** The error code of the engine. */
  readonly engineCode: number | undefined;

  constructor(engineCode: number | undefined) {
    super(`The record engine failed${engineCode === undefined ? '' : ` with code ${String(engineCode)}`}.`);
    this.engineCode = engineCode;
  }
}

/** BAD_ARGUMENTS, the error for dropping an index that is being filled, and for filling an index that was dropped. */
export const badArguments = 36;

/** Whether the error comes from the engine and has one of these codes. */
export const isEngineError = (error: unknown, ...codes: number[]): boolean =>
  error instanceof EngineError && error.engineCode !== undefined && codes.includes(error.engineCode);

/** One message for all limits, because the reached limit would disclose something about hidden records. */
class LimitReached extends RedoubtError {
  /** The memory that was used up, if the limit was on memory. Responses do not contain this. */
  readonly memory: 'of the statement' | 'of the engine' | undefined;

  constructor(memory: LimitReached['memory']) {
    super(
      'QueryError',
      'The query reached a limit of this server on time, memory or rows. Narrow the expression, or ask for fewer records.',
    );
    this.memory = memory;
  }
}

/** Whether a statement reached its memory limit. A statement that reads less may succeed. */
export const isMemoryLimitError = (error: unknown): boolean =>
  error instanceof LimitReached && error.memory !== undefined;

/** Whether a statement failed because all statements together use the memory of the engine. It may succeed later. */
export const isEngineFullError = (error: unknown): boolean =>
  error instanceof LimitReached && error.memory === 'of the engine';

/** 503: the record engine is not available. */
export const engineUnavailable = (): RedoubtError =>
  new RedoubtError('AccumuloError', 'The record store is not available. Try again in a moment.');

const cancelledCode = 394;
// TOO_MANY_ROWS, TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED, TOO_MANY_BYTES, TOO_MANY_ROWS_OR_BYTES
const limitCodes = new Set([158, 159, 160, 241, 307, 396]);
const memoryCode = 241;
/**
 * TOO_MANY_SIMULTANEOUS_QUERIES, SOCKET_TIMEOUT, NETWORK_ERROR, TABLE_IS_READ_ONLY, TOO_MANY_PARTS,
 * ALL_CONNECTION_TRIES_FAILED, TOO_FEW_LIVE_REPLICAS, UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE, REPLICA_IS_NOT_IN_QUORUM,
 * UNKNOWN_STATUS_OF_INSERT, QUERY_WAS_CANCELLED, AUTHENTICATION_FAILED, KEEPER_EXCEPTION: a retry may succeed. A server
 * that stops cancels its running queries.
 */
const unavailableCodes = new Set([202, 209, 210, 242, 252, 279, 285, 286, 289, 319, cancelledCode, 516, 999]);

const unsupportedShape = (): RedoubtError =>
  new UnsupportedSqlError(
    'SQL: the record engine cannot run this combination of subqueries and joins. Write it with a join or WITH instead.',
  );

const tooDeep = (): RedoubtError =>
  new UnsupportedSqlError(
    'SQL: the statement is nested too deeply for the record engine. Write it with fewer subqueries, brackets and calls within each other.',
  );

/** Errors that a statement causes by its own shape or by the number of rows that are visible to its reader. */
const statementErrors: Partial<Record<number, () => RedoubtError>> = {
  // INCORRECT_RESULT_OF_SCALAR_SUBQUERY
  125: () =>
    new RedoubtError(
      'QueryError',
      'SQL: a scalar subquery must return at most one row, got more. Add LIMIT 1 or an aggregate.',
    ),
  // NOT_IMPLEMENTED, INVALID_JOIN_ON_EXPRESSION
  48: unsupportedShape,
  403: unsupportedShape,
  // TOO_DEEP_SUBQUERIES, TOO_DEEP_AST, TOO_BIG_AST, TOO_DEEP_RECURSION
  162: tooDeep,
  167: tooDeep,
  168: tooDeep,
  306: tooDeep,
};

/** The error code and the text in an error of chdb; errors of streams contain the code only in their text. */
function readEngineError(error: unknown): { code: number | undefined; text: string } {
  for (let each = error; each instanceof Error; each = each.cause) {
    const code = /^Code: (\d+)\./.exec(each.message)?.[1];
    if (code !== undefined) return { code: Number(code), text: each.message };
  }
  return { code: undefined, text: '' };
}

/** Which memory an error with `memoryCode` is about. */
const usedUpMemory = (text: string): 'of the statement' | 'of the engine' =>
  /\(total\) memory limit exceeded/.test(text) ? 'of the engine' : 'of the statement';

/**
 * Converts an error code of the engine to the error that callers get.
 * @param text the text of the engine
 */
export function toErrorByCode(code: number | undefined, signal: AbortSignal | undefined, text = ''): Error {
  if (code === cancelledCode && signal?.aborted === true) return abortReason(signal);
  if (code !== undefined && limitCodes.has(code))
    return new LimitReached(code === memoryCode ? usedUpMemory(text) : undefined);
  if (code !== undefined && unavailableCodes.has(code)) return engineUnavailable();
  if (code !== undefined && statementErrors[code] !== undefined) return statementErrors[code]();
  return new EngineError(code);
}

/** Converts an error of chdb to the error that callers get. */
export function toEngineError(error: unknown, signal?: AbortSignal): Error {
  const kind = error instanceof Error && 'code' in error ? error.code : undefined;
  if (kind === 'CHDB_CLOSED' || kind === 'CHDB_CONNECTION') return engineUnavailable();
  const { code, text } = readEngineError(error);
  return toErrorByCode(code, signal, text);
}

/** The abort reason of a signal as an Error. */
export const abortReason = (signal: AbortSignal): Error =>
  signal.reason instanceof Error ? signal.reason : new DOMException('The request was ended.', 'AbortError');

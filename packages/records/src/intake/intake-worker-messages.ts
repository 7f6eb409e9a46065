import { RedoubtError, type ErrorName, type FieldError } from '@redoubt/errors';
import type { WriteBodyFormat } from './parse-write-body.ts';
import type { BatchSummary, PrepareOptions } from './prepare-batch.ts';
import type { ReplacementOptions, ReplacementsSummary } from './prepare-replacements.ts';

/** A task for the worker; `body` is the id of a body that it stores. */
export type WorkerTask =
  | { kind: 'parse'; body: number; bytes: Uint8Array; shape: WriteBodyFormat }
  | { kind: 'prepare'; body: number; options: PrepareOptions }
  | { kind: 'prepareReplacements'; body: number; options: ReplacementOptions }
  | { kind: 'rows'; body: number; which: 'inserts' | 'updates'; prefixes: readonly string[] }
  | { kind: 'release'; body: number };

export interface ParseResult {
  count: number;
  securityLabelInfo: unknown;
  columnSecurityLabelInfo: unknown;
}

export type WorkerResult = ParseResult | BatchSummary | ReplacementsSummary | Uint8Array | undefined;

export interface WorkerRequest {
  id: number;
  task: WorkerTask;
}

export type WorkerReply = { id: number } & ({ result: WorkerResult } | { error: SerializedError });

/**
 * An error that is sent between threads. Cloning would lose the fields of a RedoubtError, so they are sent separately.
 */
export interface SerializedError {
  message: string;
  known: { name: ErrorName; code: number; errors: FieldError[] | undefined } | undefined;
}

export const serializeError = (error: unknown): SerializedError => ({
  message: error instanceof Error ? error.message : String(error),
  known:
    error instanceof RedoubtError ? { name: error.name, code: error.code, errors: error.errors } : undefined,
});

export function deserializeError({ message, known }: SerializedError): Error {
  if (known === undefined) return new Error(message);
  const { name, code, errors } = known;
  return new RedoubtError(name, message, errors === undefined ? { code } : { code, errors });
}

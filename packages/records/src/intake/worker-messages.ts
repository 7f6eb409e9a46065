import { RedoubtError, type ErrorName, type FieldFault } from '@redoubt/errors';
import type { BodyShape } from './parse-write-body.ts';
import type { BatchSummary, PrepareOptions } from './prepare-batch.ts';
import type { ReplacementOptions, ReplacementsSummary } from './prepare-replacements.ts';

/** What the worker is asked; `body` names a body that it holds. */
export type WorkerTask =
  | { kind: 'parse'; body: number; bytes: Uint8Array; shape: BodyShape }
  | { kind: 'prepare'; body: number; options: PrepareOptions }
  | { kind: 'prepareReplacements'; body: number; options: ReplacementOptions }
  | { kind: 'rows'; body: number; which: 'inserts' | 'updates'; prefixes: readonly string[] }
  | { kind: 'release'; body: number };

export interface ParseAnswer {
  count: number;
  securityLabelInfo: unknown;
  columnSecurityLabelInfo: unknown;
}

export type WorkerAnswer = ParseAnswer | BatchSummary | ReplacementsSummary | Uint8Array | undefined;

export interface WorkerRequest {
  id: number;
  task: WorkerTask;
}

export type WorkerReply = { id: number } & ({ answer: WorkerAnswer } | { fault: WireFault });

/** An error that crosses threads: only what a RedoubtError says of itself survives the crossing on its own. */
export interface WireFault {
  message: string;
  known: { name: ErrorName; code: number; errors: FieldFault[] | undefined } | undefined;
}

export const toWire = (fault: unknown): WireFault => ({
  message: fault instanceof Error ? fault.message : String(fault),
  known:
    fault instanceof RedoubtError ? { name: fault.name, code: fault.code, errors: fault.errors } : undefined,
});

export function fromWire({ message, known }: WireFault): Error {
  if (known === undefined) return new Error(message);
  const { name, code, errors } = known;
  return new RedoubtError(name, message, errors === undefined ? { code } : { code, errors });
}

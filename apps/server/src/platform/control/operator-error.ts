import { RedoubtError } from '@redoubt/errors';
import { ObjectStoreError } from '../files/object-store.ts';

/** Something that the operator asked for cannot be done; the message is one line that says what to do. */
export class OperatorError extends Error {}

/** Whether an error says to the operator what was wrong: others are faults of the program. */
export const isOperatorFacing = (error: unknown): error is Error =>
  [OperatorError, RedoubtError, ObjectStoreError].some((kind) => error instanceof kind);

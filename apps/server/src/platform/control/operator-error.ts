import { RedoubtError } from '@redoubt/errors';
import { ObjectStoreError } from '../files/object-store.ts';

/** A command of the operator cannot be executed; the message is one line that says what to do. */
export class OperatorError extends Error {}

/** Whether the message of an error is meant for the operator; other errors are defects of the program. */
export const isOperatorFacing = (error: unknown): error is Error =>
  [OperatorError, RedoubtError, ObjectStoreError].some((kind) => error instanceof kind);

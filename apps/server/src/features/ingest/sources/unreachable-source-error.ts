import { RedoubtError } from '@redoubt/errors';

/**
 * There is no connection to a source, so nothing of it was read. The message has hosts and codes, and no values of rows:
 * people who do not satisfy the minimum label of the connection may read it.
 */
export class UnreachableSourceError extends RedoubtError {
  constructor(message: string) {
    super('DatasourceError', message);
  }
}

/** The error of a source, as the process that reads it described it. */
export const toSourceError = (message: string, isUnreachable: boolean): RedoubtError =>
  isUnreachable ? new UnreachableSourceError(message) : new RedoubtError('DatasourceError', message);

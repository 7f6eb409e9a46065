import { RedoubtError } from '@redoubt/errors';
import type { IngestOptions } from './ingest-options.ts';
import { isRestricted } from './restricted-rejects.ts';
import { UnreachableSourceError } from './sources/unreachable-source-error.ts';

type Restriction = Pick<IngestOptions, 'connectionId'>;

/** Whether an error is about one file of a source, so that a job continues with the others. */
export const isAboutSource = (error: unknown): error is RedoubtError =>
  error instanceof RedoubtError &&
  ['FileParseError', 'HttpClientError', 'DatasourceError', 'SecurityError', 'BadRequestError'].includes(
    error.name,
  );

/**
 * What a database reports, before its own words. Only these classes of SQLSTATE never depend on values of rows: no
 * connection, no right, no such table or column, and faults of the server.
 */
const reported = /reports (SQLSTATE (?:08|28|3D|3F|42|53|57|58)[0-9A-Z]{3})/;

/** An error that repeats nothing of what was read: only the code of a database. */
const withoutValues = (error: RedoubtError): RedoubtError => {
  if (error instanceof UnreachableSourceError) return error;
  const { name, message, code } = error;
  const found = name === 'DatasourceError' ? reported.exec(message)?.[1] : undefined;
  const why = found === undefined ? '' : ` (${found})`;
  return new RedoubtError(
    name,
    `The source could not be read to its end${why}. The details may repeat its rows, so only people who hold the attributes of the minimum label of the connection see them, in a preview or in the receipt of their job.`,
    { code },
  );
};

/**
 * The error that the starter of a job, or of a preview, may read: errors of databases and parsers repeat values of rows,
 * and those of labels name the attributes of rows.
 */
export const toShownError = (
  error: RedoubtError,
  restriction: Restriction,
  isSatisfied: boolean,
): RedoubtError => {
  if (!isRestricted(restriction)) return error;
  if (!isSatisfied) return withoutValues(error);
  if (error.name !== 'SecurityError') return error;
  return new RedoubtError(
    error.name,
    'The label of a row names attributes that you may not write. Ask a person who manages attributes to start the job.',
    { code: error.code },
  );
};

/**
 * Every error name of the API, with the HTTP statuses that it may have. The names come from the API specification
 * and are never reused for another meaning.
 */
export const errorCatalogue = {
  AccumuloError: [503],
  AuthError: [401],
  BadRequestError: [400, 409, 413],
  DatasourceError: [400],
  FileParseError: [400],
  ForbiddenError: [403, 429],
  HttpClientError: [502],
  InternalServerError: [500],
  LuceneParseError: [400],
  MissingIndexError: [400],
  NotFoundError: [404],
  NotImplementedError: [501],
  QueryError: [400],
  RestClientError: [502],
  SecurityError: [400],
  SqlParseError: [400],
  TableNotFoundError: [404],
} as const satisfies Record<string, readonly [number, ...number[]]>;

/** The value of `name` in the body of an error response. */
export type ErrorName = keyof typeof errorCatalogue;

/** The names of the catalogue, in alphabetical order. */
export const errorNames = Object.keys(errorCatalogue) as ErrorName[];

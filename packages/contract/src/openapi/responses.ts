import { errorCatalogue, errorNames, type ErrorName } from '@redoubt/errors';
import { Type } from 'typebox';
import { strictObject } from '../core/fields.ts';
import { commonErrors, type RouteDescriptor } from '../core/route.ts';
import type { Json, SchemaCollector } from './schemas.ts';

const meanings: Record<ErrorName, string> = {
  AccumuloError: 'the record store is not available',
  AuthError: 'there is no valid credential',
  BadRequestError: 'the input is wrong (400), conflicts with an existing object (409) or is too large (413)',
  DatasourceError: 'a data source failed',
  FileParseError: 'a file cannot be parsed',
  ForbiddenError: 'you can see the object but may not do this (403), or you sent too many requests (429)',
  HttpClientError: 'another system failed',
  InternalServerError: 'the server failed; its log has the cause under the id in the message',
  LuceneParseError: 'the Lucene expression cannot be parsed',
  MissingIndexError: 'the dataset does not support searches without a field',
  NotFoundError: 'the object does not exist or is hidden from you',
  NotImplementedError: 'this server does not offer the call',
  QueryError: 'the query reached a limit',
  RestClientError: 'another Redoubt host failed',
  SecurityError: 'a label, its parser or a column label is wrong',
  SqlParseError: 'the SQL cannot be parsed or uses an unsupported construct',
  TableNotFoundError: 'the SQL names a dataset that does not exist or is hidden from you',
};

/** The body of every error response. */
const ErrorResponse = strictObject(
  {
    name: Type.Enum(errorNames, { description: 'The name of the error.' }),
    message: Type.String({ description: 'What was expected, what you sent, and what to do.' }),
    code: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
    errors: Type.Optional(
      Type.Array(strictObject({ field: Type.String(), message: Type.String() }), {
        description: 'The wrong fields.',
      }),
    ),
    position: Type.Optional(
      strictObject(
        { offset: Type.Integer({ minimum: 0 }), length: Type.Integer({ minimum: 0 }) },
        {
          description:
            'Errors of SQL and Lucene: the wrong part of the expression, in characters (code points). offset counts from 0; length is 0 at the end of the expression.',
        },
      ),
    ),
    hint: Type.Optional(
      Type.String({ description: 'Errors of SQL and Lucene: a sentence that says what to write instead.' }),
    ),
  },
  { title: 'Error' },
);

/** The body of an error of RFC 6749. */
const OAuthErrorResponse = strictObject(
  { error: Type.String({ description: 'A code of RFC 6749.' }), error_description: Type.String() },
  { title: 'OAuthError' },
);

const oauthErrors: Readonly<Record<number, string>> = {
  400: 'The request is invalid.',
  401: 'The client is not authenticated.',
  403: 'The form was not sent from the page.',
  413: 'The body, or the headers and the path, are too large.',
  429: 'There were too many requests.',
  500: 'The server failed; its log has the cause.',
  503: 'The record store is not available.',
};

/**
 * Statuses of errors that occur before routing, such as a path that is too long. Even for OAuth calls, their body has
 * the form of all other calls.
 */
const beforeRouting: ReadonlySet<number> = new Set([400, 413]);

const addOAuthErrors = (responses: Json, { redirects }: RouteDescriptor, schemas: SchemaCollector): void => {
  if (redirects !== undefined) {
    responses[303] = {
      description: redirects,
      headers: { location: { schema: { type: 'string', format: 'uri' } } },
    };
  }
  for (const [code, description] of Object.entries(oauthErrors)) {
    const own = schemas.convert(OAuthErrorResponse);
    const schema = beforeRouting.has(Number(code)) ? { anyOf: [own, schemas.convert(ErrorResponse)] } : own;
    responses[code] = {
      description,
      content: {
        'application/json': { schema },
        ...(redirects === undefined ? {} : { 'text/html': { schema: { type: 'string' } } }),
      },
    };
  }
};

/**
 * The statuses of an error of a call. A GET request cannot conflict with anything (409), but its path or headers can be
 * too large (413).
 */
const statusesOf = (name: ErrorName, isRead: boolean): readonly number[] =>
  name === 'BadRequestError' && isRead ? [400, 413] : errorCatalogue[name];

/** The errors that a call may return, by HTTP status. */
const errorsByStatus = (route: RouteDescriptor): Map<number, ErrorName[]> => {
  const names = new Set<ErrorName>([...commonErrors, ...route.errors]);
  if (route.caller !== 'anyone') names.add('AuthError');
  // Every call can exceed the rate limit.
  const byStatus = new Map<number, ErrorName[]>([[429, ['ForbiddenError']]]);
  for (const name of [...names].toSorted()) {
    for (const status of statusesOf(name, route.method === 'GET')) {
      const others = byStatus.get(status)?.filter((other) => other !== name) ?? [];
      byStatus.set(status, [...others, name]);
    }
  }
  return byStatus;
};

/** An error that a call may return. */
export interface RouteError {
  status: number;
  name: ErrorName;
  /** When the error occurs, as part of a sentence. */
  meaning: string;
}

/**
 * The errors that a call may return, in the order of their statuses. The list is empty for OAuth calls, whose errors
 * are those of RFC 6749.
 */
export const listRouteErrors = (route: RouteDescriptor): RouteError[] =>
  route.protocol === 'oauth2'
    ? []
    : [...errorsByStatus(route)]
        .toSorted(([a], [b]) => a - b)
        .flatMap(([status, names]) => names.map((name) => ({ status, name, meaning: meanings[name] })));

/** The OpenAPI responses of a call by status: success, and the errors, which share one schema. */
export const toOpenApiResponses = (route: RouteDescriptor, schemas: SchemaCollector): Json => {
  const { status, description, schema, mediaType = 'application/json', otherMediaTypes = {} } = route.success;
  const others = Object.entries(otherMediaTypes).map(([name, body]) => [
    name,
    { schema: { type: 'string', description: body } },
  ]);
  const responses: Json = {
    [status]: {
      description,
      ...(status === 303 ? { headers: { location: { schema: { type: 'string', format: 'uri' } } } } : {}),
      content: { [mediaType]: { schema: schemas.convert(schema) }, ...Object.fromEntries(others) },
    },
  };
  if (route.ranged === true) {
    const headers = { 'content-range': { schema: { type: 'string' } } };
    responses[206] = {
      description: 'The part that the header Range asks for.',
      headers,
      content: { [mediaType]: { schema: schemas.convert(schema) } },
    };
    responses[416] = { description: 'The header Range asks for a part behind the end.', headers };
  }
  if (route.protocol === 'oauth2') {
    addOAuthErrors(responses, route, schemas);
    return responses;
  }
  for (const [code, names] of errorsByStatus(route)) {
    responses[code] = {
      description: names.map((name) => `${name}: ${meanings[name]}.`).join(' '),
      content: { 'application/json': { schema: schemas.convert(ErrorResponse) } },
    };
  }
  return responses;
};

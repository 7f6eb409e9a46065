import { errorCatalogue, errorNames, type ErrorName } from '@redoubt/errors';
import { Type } from 'typebox';
import { strictObject } from '../core/fields.ts';
import { commonErrors, type RouteDescriptor } from '../core/route.ts';
import type { Json, SchemaCollector } from './schemas.ts';

const meanings: Record<ErrorName, string> = {
  AccumuloError: 'the record store is not available',
  AuthError: 'there is no valid credential',
  BadRequestError: 'the input is wrong (400), is in conflict with what is there (409) or is too large (413)',
  DatasourceError: 'a source of data failed',
  FileParseError: 'a file does not parse',
  ForbiddenError: 'the caller may not do this to what they see (403), or has called too often (429)',
  HttpClientError: 'another host failed',
  InternalServerError: 'a fault of the server; its id stands in the log',
  LuceneParseError: 'the Lucene expression does not parse',
  MissingIndexError: 'the dataset does not offer the search of any field',
  NotFoundError: 'there is no such thing for the caller',
  NotImplementedError: 'this server does not offer it',
  QueryError: 'the query reached a limit',
  RestClientError: 'another Redoubt host failed',
  SecurityError: 'a label, its parser or a column label is wrong',
  SqlParseError: 'the SQL does not parse or uses what is refused',
  TableNotFoundError: 'the SQL names a dataset that the caller does not see',
};

/** The body of every error answer, as the reference shows it. */
const ErrorAnswer = strictObject(
  {
    name: Type.Enum(errorNames, { description: 'What kind of error it is.' }),
    message: Type.String({ description: 'What was wrong, with the value sent, and what to do.' }),
    code: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
    errors: Type.Optional(
      Type.Array(strictObject({ field: Type.String(), message: Type.String() }), {
        description: 'The fields at fault.',
      }),
    ),
  },
  { title: 'Error' },
);

/** The body of an error of RFC 6749. */
const OAuthErrorAnswer = strictObject(
  { error: Type.String({ description: 'A code of RFC 6749.' }), error_description: Type.String() },
  { title: 'OAuthError' },
);

const oauthErrors: Readonly<Record<number, string>> = {
  400: 'The request is wrong.',
  401: 'The client does not authenticate.',
  403: 'A form that did not come from the page.',
  413: 'The body, or the headers and the path, are too large.',
  429: 'There were too many requests.',
  500: 'A fault of the server; its id stands in the log.',
  503: 'The record store is not available.',
};

/** What never became a request of a call, as its path is too long or it came too slowly, is answered as everywhere. */
const beforeRouting: ReadonlySet<number> = new Set([400, 413]);

const addOAuthErrors = (answers: Json, { redirects }: RouteDescriptor, schemas: SchemaCollector): void => {
  if (redirects !== undefined) {
    answers[303] = {
      description: redirects,
      headers: { location: { schema: { type: 'string', format: 'uri' } } },
    };
  }
  for (const [code, description] of Object.entries(oauthErrors)) {
    const own = schemas.convert(OAuthErrorAnswer);
    const schema = beforeRouting.has(Number(code)) ? { anyOf: [own, schemas.convert(ErrorAnswer)] } : own;
    answers[code] = {
      description,
      content: {
        'application/json': { schema },
        ...(redirects === undefined ? {} : { 'text/html': { schema: { type: 'string' } } }),
      },
    };
  }
};

/** Conflicts concern calls that change something; too large may be any path or header. */
const statusesOf = (name: ErrorName, isRead: boolean): readonly number[] =>
  name === 'BadRequestError' && isRead ? [400, 413] : errorCatalogue[name];

/** The names that a call may answer, by HTTP status. */
const errorsByStatus = (route: RouteDescriptor): Map<number, ErrorName[]> => {
  const names = new Set<ErrorName>([...commonErrors, ...route.errors]);
  if (route.caller !== 'anyone') names.add('AuthError');
  // Whoever calls too often is told so by every call.
  const byStatus = new Map<number, ErrorName[]>([[429, ['ForbiddenError']]]);
  for (const name of [...names].toSorted()) {
    for (const status of statusesOf(name, route.method === 'GET')) {
      const others = byStatus.get(status)?.filter((other) => other !== name) ?? [];
      byStatus.set(status, [...others, name]);
    }
  }
  return byStatus;
};

/** An error that a call may answer. */
export interface RouteError {
  status: number;
  name: ErrorName;
  /** When it is answered, as part of a sentence. */
  meaning: string;
}

/** The errors that a call may answer, by status; those of RFC 6749 have no names of the catalogue and are not among them. */
export const listRouteErrors = (route: RouteDescriptor): RouteError[] =>
  route.protocol === 'oauth2'
    ? []
    : [...errorsByStatus(route)]
        .toSorted(([a], [b]) => a - b)
        .flatMap(([status, names]) => names.map((name) => ({ status, name, meaning: meanings[name] })));

/** The answers of a call by status: the one of success, and its errors, all of one schema. */
export const toOpenApiResponses = (route: RouteDescriptor, schemas: SchemaCollector): Json => {
  const { status, description, schema, mediaType = 'application/json', otherMediaTypes = {} } = route.success;
  const others = Object.entries(otherMediaTypes).map(([name, about]) => [
    name,
    { schema: { type: 'string', description: about } },
  ]);
  const answers: Json = {
    [status]: {
      description,
      ...(status === 303 ? { headers: { location: { schema: { type: 'string', format: 'uri' } } } } : {}),
      content: { [mediaType]: { schema: schemas.convert(schema) }, ...Object.fromEntries(others) },
    },
  };
  if (route.protocol === 'oauth2') {
    addOAuthErrors(answers, route, schemas);
    return answers;
  }
  for (const [code, names] of errorsByStatus(route)) {
    answers[code] = {
      description: names.map((name) => `${name}: ${meanings[name]}.`).join(' '),
      content: { 'application/json': { schema: schemas.convert(ErrorAnswer) } },
    };
  }
  return answers;
};

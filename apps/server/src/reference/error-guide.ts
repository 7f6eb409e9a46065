import type { ErrorName } from '@redoubt/errors';

/** A request that fails and its response, as an example on a page. */
export interface ErrorExample {
  readonly status: number;
  readonly command: string;
  readonly message: string;
  /** The property `errors` of the response. */
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  /** The properties `position` and `hint` of the response. */
  readonly position?: { readonly offset: number; readonly length: number };
  readonly hint?: string;
}

export interface ErrorGuide {
  readonly when: string;
  readonly what: string;
  readonly examples?: readonly ErrorExample[];
  /** A message, if no example shows one. */
  readonly message?: string;
}

const call = (path: string, ...lines: readonly string[]): string =>
  [`curl "$REDOUBT${path}"`, ...lines].join(' \\\n  ');
const bearer = '-H "Authorization: Bearer $TOKEN"';
const json = "-H 'Content-Type: application/json'";
const body = (text: string): string => `-d '${text}'`;

/** When each error of the catalogue occurs and what to do, for users of the API. */
export const errorGuides: Readonly<Record<ErrorName, ErrorGuide>> = {
  AccumuloError: {
    when: 'The server can’t reach the record store right now: it restarts, or the network to it is down. The name comes from the API line; the store is ClickHouse.',
    what: 'Send the same call again after a few seconds. A write may already be stored, so read before you repeat it. If the error stays, ask the operator to check the log.',
    message: 'The record store is not available. Try again in a moment.',
  },
  AuthError: {
    when: 'The credential is missing, expired, wrong or revoked; or the email address and the password don’t match.',
    what: 'Sign in again. A session lasts 24 hours. If you get this right after signing in, the call may need a session of a workspace: sign in with `workspaceId`.',
    examples: [
      {
        status: 401,
        command: call('/datasets'),
        message:
          'This call needs a credential: send "Authorization: Bearer <accessToken>" or "X-API-Key: <key>"; POST /authentication returns a token.',
      },
    ],
  },
  BadRequestError: {
    when: '400: the input is wrong. 409: a name or an address is taken. 413: the body is too large.',
    what: 'Read `message` and `errors`, which has an entry for each wrong field, with what you sent and what is expected. Fix the call and send it again; the same call gets the same response.',
    examples: [
      {
        status: 400,
        command: call('/datasets', bearer, json, body('{"name":5,"workspaceId":"here"}')),
        message: 'name must be a string, got the number 5. Send a string.',
        errors: [{ field: 'name', message: 'name must be a string, got the number 5. Send a string.' }],
      },
    ],
  },
  DatasourceError: {
    when: 'A bucket or database can’t be reached, or it refuses the request. You find this error in jobs that read a source.',
    what: 'Read the message: it names the host, the port and what to check. Then retry the job, or start another one.',
  },
  FileParseError: {
    when: 'A file has the wrong type or is damaged: a profile picture, or a file that is uploaded, previewed or fetched.',
    what: 'Send a complete file of a supported type. For a job, the message names the file, the line and the problem. Unless the job replaces records, the rows before that line are stored.',
    message: 'The body is not a picture of a supported type. Send a complete PNG, JPEG or WebP.',
  },
  ForbiddenError: {
    when: '403: you can see it, but may not do this. 429: there were too many requests, wrong passwords or waiting jobs.',
    what: 'For 403, ask the people that the message names to give you the right. For 429, wait for the number of seconds in the header `Retry-After`.',
    examples: [
      {
        status: 403,
        command: call('/datasets/$DATASET', '-X DELETE', '-H "Authorization: Bearer $READER"'),
        message:
          'You may not manage the dataset "…": ask a person who manages it to grant "manage" to a group that you are in.',
      },
    ],
  },
  HttpClientError: {
    when: 'Another system that the server needs for this call failed: an identity provider, Stripe, or the address of a file that a job fetches.',
    what: 'Try again later. If the error stays, give the operator the id in the header `X-Request-Id`; the log has the cause under it.',
  },
  InternalServerError: {
    when: 'An unexpected error of the server. The response only has the id under which the log has the cause.',
    what: 'Give this id to the operator. You can try the call again.',
    message: 'Something went wrong in the server. Its log has the cause under the id 5b7c….',
  },
  LuceneParseError: {
    when: 'A search doesn’t follow the Lucene syntax.',
    what: 'The message gives the position, counted from 1, and what was expected there. See the [Lucene reference](/docs/reference/lucene/).',
    examples: [
      {
        status: 400,
        command: call(
          '/query/lucene',
          bearer,
          json,
          `-d '{"datasetId":"'$DATASET'","expression":"name:(london"}'`,
        ),
        message: 'At character 6, found "(london": expected a closing ) for this group.',
        position: { offset: 5, length: 1 },
        hint: 'Expected a closing ) for this group.',
      },
    ],
  },
  MissingIndexError: {
    when: 'A search has a word without a field, but `searchAnyField` is off for the dataset.',
    what: 'Write `field:word`, or ask someone who manages the dataset to turn on `searchAnyField`.',
    message:
      'The search names no field at character 1, and searching any field is turned off for this dataset: write field:value.',
  },
  NotFoundError: {
    when: 'It doesn’t exist for you: it never existed, was deleted, belongs to another workspace, or you may not see it. You get the same response in all these cases.',
    what: 'Check the id and the workspace of your session. You also get this for a link that was used or has expired.',
    examples: [
      {
        status: 404,
        command: call('/datasets/no-such-dataset', bearer),
        message: 'There is no dataset with id "no-such-dataset".',
      },
    ],
  },
  NotImplementedError: {
    when: 'This server doesn’t offer the call, or something isn’t set up: single sign-on, mail, a payment provider.',
    what: 'The message names what is missing. The operator of the server can set it up; until then the call fails the same way.',
    examples: [
      {
        status: 501,
        command: call(
          '/authentication',
          json,
          body('{"strategy":"google","access_token":"token-of-google"}'),
        ),
        message:
          'Single sign-on with "google" is not set up on this server; a provider of a workspace needs its workspaceId. Use strategy "local".',
      },
    ],
  },
  QueryError: {
    when: 'A query reached the limit on time, memory or rows, or was cancelled. All limits give the same message, so that it reveals nothing about hidden records.',
    what: 'Narrow the expression, or ask for fewer records. An index on the field that you compare may help.',
    message:
      'The query reached a limit of this server on time, memory or rows. Narrow the expression, or ask for fewer records.',
  },
  RestClientError: {
    when: 'Reserved by the API line. This server uses HttpClientError instead.',
    what: 'Nothing.',
  },
  SecurityError: {
    when: 'A label, a label parser or the label of a column is wrong. Nothing in the write was stored.',
    what: 'Fix the label at the position that the message names. See the [grammar of labels](/docs/reference/labels/).',
    examples: [
      {
        status: 400,
        command: call(
          '/v2/write/$DATASET',
          bearer,
          json,
          body(
            '{"records":[{"name":"x"}],"securityLabelInfo":{"label":"A&(B|","parserClassName":"apply-label-to-all-records-parser","labelHandlingPolicy":"drop"}}',
          ),
        ),
        message:
          'securityLabelInfo.label must be a valid label, got "A&(B|". At position 5, expected an attribute…',
        errors: [
          {
            field: 'securityLabelInfo.label',
            message:
              'securityLabelInfo.label must be a valid label, got "A&(B|". At position 5, expected an attribute…',
          },
        ],
      },
    ],
  },
  SqlParseError: {
    when: 'A statement isn’t valid SQL, isn’t a SELECT, names a column that your records don’t have, or uses SQL that isn’t supported.',
    what: 'The message gives the position, and what to write instead of unsupported SQL. The [SQL reference](/docs/reference/sql/) lists what is supported. A column whose label you don’t satisfy doesn’t exist for you.',
    examples: [
      {
        status: 400,
        command: call('/query', bearer, json, body('{"expression":"SELECT colour FROM navaids"}')),
        message: 'SQL: the column "colour" does not exist (character 8).',
        position: { offset: 7, length: 6 },
        hint: 'Name a column that records you can read have. Write a text in single quotes, and a name with capital letters in double quotes.',
      },
      {
        status: 400,
        command: call(
          '/query',
          bearer,
          json,
          body('{"expression":"WITH RECURSIVE t AS (SELECT 1) SELECT * FROM t"}'),
        ),
        message:
          'SQL: WITH with RECURSIVE is not supported (character 1). Join the dataset to itself once for each level, or use generate_series for a series.',
        position: { offset: 0, length: 4 },
        hint: 'Join the dataset to itself once for each level, or use generate_series for a series.',
      },
    ],
  },
  TableNotFoundError: {
    when: 'A statement names a dataset that doesn’t exist, that you may not read, or that shares its name with another one of yours.',
    what: 'Use the id of the dataset in double quotes instead of its name.',
    examples: [
      {
        status: 404,
        command: call('/query', bearer, json, body('{"expression":"SELECT * FROM airports"}')),
        message: 'SQL: there is no dataset "airports" that you may read (character 15).',
        position: { offset: 14, length: 8 },
      },
    ],
  },
};

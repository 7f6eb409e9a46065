import type { ErrorName } from '@redoubt/errors';

/** A call of the API that is answered with an error, and its answer, as examples of pages are written. */
export interface ErrorExample {
  readonly status: number;
  readonly command: string;
  readonly message: string;
  /** What stands in `errors` beside name, message and code. */
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

export interface ErrorGuide {
  readonly when: string;
  readonly what: string;
  readonly examples?: readonly ErrorExample[];
  /** A message that no example shows. */
  readonly message?: string;
}

const call = (path: string, ...lines: readonly string[]): string =>
  [`curl "$REDOUBT${path}"`, ...lines].join(' \\\n  ');
const bearer = '-H "Authorization: Bearer $TOKEN"';
const json = "-H 'Content-Type: application/json'";
const body = (text: string): string => `-d '${text}'`;

/** Each error of the catalogue for the people who meet it. */
export const errorGuides: Readonly<Record<ErrorName, ErrorGuide>> = {
  AccumuloError: {
    when: 'The record store cannot be reached for the moment: it restarts, or the network to it is down. The name is that of the API line; the store is ClickHouse.',
    what: 'Send the same call again after a few seconds. A write that was answered with it may have been stored: read before you repeat it. If it lasts, the operator looks at the log.',
    message: 'The record store is not available. Try again in a moment.',
  },
  AuthError: {
    when: 'There is no credential, or it is over, wrong or taken back; or the email address and the password do not belong together.',
    what: 'Sign in again. A session lasts 24 hours. Where it comes right after signing in, look whether the call wants a session of a workspace: sign in with `workspaceId`.',
    examples: [
      {
        status: 401,
        command: call('/datasets'),
        message:
          'This call needs a credential: send "Authorization: Bearer <accessToken>" or "X-API-Key: <key>"; POST /authentication gives a token.',
      },
    ],
  },
  BadRequestError: {
    when: '400: the input is wrong. 409: a name or an address is taken. 413: the body is larger than the server takes.',
    what: 'Read `message` and, where it is there, `errors`: one entry for each field, with what was sent and what is expected. Send the call again when it is mended; sending the same one again gives the same answer.',
    examples: [
      {
        status: 400,
        command: call('/datasets', bearer, json, body('{"name":5,"workspaceId":"here"}')),
        message: 'name: 5 is no string.',
        errors: [{ field: 'name', message: '5 is no string.' }],
      },
    ],
  },
  DatasourceError: {
    when: 'A data source that records are read from cannot be reached or refuses. Nothing answers it yet, since no data source can be connected yet.',
    what: 'Nothing for now.',
  },
  FileParseError: {
    when: 'A file that was sent is not of the kind that it has to be, or is damaged. Today that is a profile picture.',
    what: 'Send a whole file of one of the kinds that the message names.',
    message: 'The body is no picture of a known kind: send a whole PNG, JPEG or WebP.',
  },
  ForbiddenError: {
    when: '403: you know of the thing, but may not do this to it. 429: there were too many requests, or too many wrong passwords.',
    what: 'With 403, ask whoever the message names for the right. With 429, wait as many seconds as the header `Retry-After` says.',
    examples: [
      {
        status: 403,
        command: call('/datasets/$DATASET', '-X DELETE', '-H "Authorization: Bearer $READER"'),
        message:
          'You may not manage the dataset "…": ask whoever manages it to grant "manage" to a group that you are in.',
      },
    ],
  },
  HttpClientError: {
    when: 'Another system that the server needs for this call did not answer as it should: an identity provider, or the payment host.',
    what: 'Try again later. If it lasts, the operator looks at the log, which has the cause under the id of the header `X-Request-Id`.',
  },
  InternalServerError: {
    when: 'A fault of the server that nobody foresaw. The answer says nothing of it but the id under which the log has the cause.',
    what: 'Give that id to the operator. The call may be tried again.',
    message: 'Something went wrong in the server; its log has the cause under id 5b7c….',
  },
  LuceneParseError: {
    when: 'A search does not follow the Lucene syntax.',
    what: 'The message counts characters from 1 and says what was expected there. [The reference](/docs/reference/lucene/) has the syntax.',
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
      },
    ],
  },
  MissingIndexError: {
    when: 'A search has a word without a field, and the dataset has `searchAnyField` turned off.',
    what: 'Write `field:word`, or have whoever manages the dataset turn `searchAnyField` on.',
    message:
      'The search names no field at character 1, and searching any field is turned off for this dataset: write field:value.',
  },
  NotFoundError: {
    when: 'There is no such thing for you: it was never there, is gone, belongs to another workspace, or is one that you may not know of. All of these answer the same.',
    what: 'Check the id and the workspace of your session. A link that was used or is over is answered so, too.',
    examples: [
      {
        status: 404,
        command: call('/datasets/no-such-dataset', bearer),
        message: 'There is no dataset with id "no-such-dataset".',
      },
    ],
  },
  NotImplementedError: {
    when: 'The call is documented and not offered by this server, or something is not set up: single sign-on, mail, a payment host.',
    what: 'The message names what is missing. The operator of the server can set it up; the same call answers the same until then.',
    examples: [
      {
        status: 501,
        command: call(
          '/authentication',
          json,
          body('{"strategy":"google","access_token":"token-of-google"}'),
        ),
        message:
          'Single sign-on with "google" is not set up on this server; a provider of a workspace needs its workspaceId: use strategy "local".',
      },
    ],
  },
  QueryError: {
    when: 'A query reached the limit on time, memory or rows, or was cancelled. One message stands for all limits, so that it tells nothing of records that you do not see.',
    what: 'Narrow the expression, or ask for fewer records. An index on the field that is compared may help.',
    message:
      'The query reached a limit of this server on time, memory or rows. Narrow the expression, or ask for fewer records.',
  },
  RestClientError: {
    when: 'Reserved by the API line for faults of clients of other systems. This server never answers it; HttpClientError takes its place.',
    what: 'Nothing.',
  },
  SecurityError: {
    when: 'A label, a label parser or the label of a column is wrong. Nothing of the write was stored.',
    what: 'Mend the label at the position that the message names. [Labels](/docs/reference/labels/) has the grammar.',
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
        message: 'securityLabelInfo.label: Label "A&(B|" is not valid: at position 5 it ends, expected…',
        errors: [
          {
            field: 'securityLabelInfo.label',
            message: 'Label "A&(B|" is not valid: at position 5 it ends, expected…',
          },
        ],
      },
    ],
  },
  SqlParseError: {
    when: 'A statement is no SQL, is no SELECT, names a column that your records do not have, or uses a part of SQL that is not supported.',
    what: 'The message names the character and, where something is not supported, says what to write instead; [the reference](/docs/reference/sql/) has what is taken. A column whose label you do not satisfy is answered as one that is not there.',
    examples: [
      {
        status: 400,
        command: call('/query', bearer, json, body('{"expression":"SELECT colour FROM navaids"}')),
        message: 'SQL: the column "colour" does not exist (character 8).',
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
      },
    ],
  },
  TableNotFoundError: {
    when: 'A statement names a dataset that you may not read, that is not there, or whose name several of your datasets have.',
    what: 'Write the id of the dataset in double quotes in the place of its name.',
    examples: [
      {
        status: 404,
        command: call('/query', bearer, json, body('{"expression":"SELECT * FROM airports"}')),
        message: 'SQL: there is no dataset "airports" that you may read (character 15).',
      },
    ],
  },
};

import type { ErrorName } from '@redoubt/errors';

/** A message that people often meet, with its cause and what to do. */
export interface CommonMessage {
  readonly error: ErrorName;
  readonly status: number;
  /** The heading of the message, which gives it an anchor on the page. */
  readonly title: string;
  /** The text. Parts that differ from case to case are placeholders such as `{field}`. */
  readonly message: string;
  readonly cause: string;
  readonly remedy: string;
}

/** The messages that people meet most, in the order in which the page shows them below their error. */
export const commonMessages: readonly CommonMessage[] = [
  {
    error: 'AccumuloError',
    status: 503,
    title: 'The server is stopping',
    message: 'The server is stopping. Send the request again in a moment.',
    cause: 'The operator restarts or updates the server.',
    remedy: 'Send the request again after a few seconds.',
  },
  {
    error: 'AuthError',
    status: 401,
    title: 'The access token has ended',
    message: 'The access token is not valid, has expired or was signed out. Sign in again.',
    cause:
      'The session is older than 24 hours, was signed out, or you were removed from its workspace. A token that was cut while copying gives the same message.',
    remedy: 'Sign in again with `POST /authentication`. Programs use an API key, which lives longer.',
  },
  {
    error: 'AuthError',
    status: 401,
    title: 'The API key has ended',
    message: 'The API key in X-API-Key is not valid, has expired or was revoked. Send another key.',
    cause: 'The key has reached its expiry date, was revoked, or its person has left the workspace.',
    remedy: 'Create another key, and revoke the old one if it still exists.',
  },
  {
    error: 'AuthError',
    status: 401,
    title: 'The address or password is wrong',
    message:
      'The email address or the password is wrong, or the person is not a member of workspace "{workspaceId}". Check what you sent.',
    cause: 'One of the three is wrong. The message doesn’t say which, so that nobody can look accounts up.',
    remedy:
      'Check `workspaceId` first, then reset the password. Ask an admin whether your account is disabled.',
  },
  {
    error: 'BadRequestError',
    status: 400,
    title: 'A field has a wrong value',
    message: '{field} must be {expected}, got {got}.',
    cause: 'A field of the body or of the query string has a wrong type or is outside its range.',
    remedy:
      'Send what the message expects. `errors` lists all wrong fields of the request. The [API reference](/api/) has the type of each field.',
  },
  {
    error: 'BadRequestError',
    status: 400,
    title: 'A field does not exist',
    message: '{field} is not {kind}. Use one of: {known}.',
    cause: 'A name is misspelt, or the call doesn’t have this field or filter.',
    remedy: 'Use one of the names in the message.',
  },
  {
    error: 'BadRequestError',
    status: 400,
    title: 'The body is not valid JSON',
    message: 'The body is not valid JSON: {reason}.',
    cause: 'A quote or a comma is missing, or the shell has changed the quotes of the command.',
    remedy: 'Put the body into a file and send it with `-d @body.json`, or let a library write the JSON.',
  },
  {
    error: 'BadRequestError',
    status: 409,
    title: 'The address has an account',
    message:
      'email: "{email}" already has an account. Sign in, or ask an admin to invite you to a workspace.',
    cause: 'An address has one account for the whole server, which can be a member of several workspaces.',
    remedy: 'Sign in with this account. An admin can invite it to another workspace.',
  },
  {
    error: 'BadRequestError',
    status: 409,
    title: 'The id of the workspace is taken',
    message: 'id: "{slug}" is taken, or was in the past. Send another.',
    cause: 'Ids of workspaces are never used again, even after a workspace was deleted.',
    remedy: 'Choose another id.',
  },
  {
    error: 'BadRequestError',
    status: 413,
    title: 'The body is too large',
    message: 'The body must have at most {limit} bytes after decompression, got more. Send it in parts.',
    cause: 'The body is over the limit of the server. Compressing it doesn’t change its size here.',
    remedy:
      'Send the records in several writes, or upload them as a file. See [Limits](/docs/reference/limits/).',
  },
  {
    error: 'DatasourceError',
    status: 400,
    title: 'The bucket cannot be used',
    message: 'Cannot use the S3 bucket "{bucket}" at {service}: it answered {status} ({code}).',
    cause:
      'The keys, the name, the region or the endpoint is wrong. The end of the message says which to check.',
    remedy: 'Correct the connection, test it, then retry the job.',
  },
  {
    error: 'DatasourceError',
    status: 400,
    title: 'The bucket has no such object',
    message:
      'The S3 bucket "{bucket}" has no object with the prefix "{prefix}" and the pattern "{pattern}". Check both: the pattern must match the rest of the key.',
    cause: 'The pattern is compared with what follows the prefix, not with the whole key.',
    remedy: 'Leave the prefix out of the pattern.',
  },
  {
    error: 'FileParseError',
    status: 400,
    title: 'The format is not recognised',
    message:
      'its format is not supported or could not be recognised. Name it in "format", or see the supported file types.',
    cause: 'The extension is missing or unusual, and the first bytes don’t tell the format.',
    remedy:
      'Send `format` in `fileOptions`. See [supported file types](/docs/datasets/supported-filetypes/).',
  },
  {
    error: 'FileParseError',
    status: 400,
    title: 'The document has a password',
    message: 'the document is protected by a password. Save it without one and send it again.',
    cause: 'The server has no password for the document.',
    remedy: 'Save the document without a password and send it again.',
  },
  {
    error: 'ForbiddenError',
    status: 403,
    title: 'You lack a right on the dataset',
    message:
      'You may not {action} the dataset "{datasetId}": ask a person who manages it to grant "{action}" to a group that you are in.',
    cause: 'You see the dataset, but no group that you are in has this right on it.',
    remedy:
      'Ask a person who manages the dataset. See [Dataset permissions](/docs/datasets/dataset-settings/dataset-permissions/).',
  },
  {
    error: 'ForbiddenError',
    status: 403,
    title: 'You lack a permission in the workspace',
    message: 'Only {people} may {action}: ask one of them.',
    cause: 'The call needs the role of an admin or a permission that you don’t have.',
    remedy:
      'Ask one of the people that the message names. See [Access rules](/docs/reference/access-rules/).',
  },
  {
    error: 'ForbiddenError',
    status: 403,
    title: 'The session has no workspace',
    message:
      'This session is not bound to a workspace. Sign in again with "workspaceId", or create a workspace.',
    cause: 'Your account is in no workspace or in several, and you signed in without naming one.',
    remedy: 'Sign in with `workspaceId`.',
  },
  {
    error: 'ForbiddenError',
    status: 403,
    title: 'The call needs your own sign-in',
    message:
      'This call needs a session of your own: send "Authorization: Bearer <accessToken>" from your own sign-in. API keys and applications may not make it.',
    cause: 'Calls about people and their keys can’t be made with an API key.',
    remedy: 'Sign in with `POST /authentication` and send the access token.',
  },
  {
    error: 'ForbiddenError',
    status: 403,
    title: 'Sign-up is closed',
    message:
      'On this server, only admins create accounts (setting SIGN_UP). Ask an admin of a workspace to add you.',
    cause: 'A server that others can reach lets only invited people in, unless `SIGN_UP` says otherwise.',
    remedy: 'Ask an admin of a workspace to add you. Operators change `SIGN_UP`.',
  },
  {
    error: 'ForbiddenError',
    status: 403,
    title: 'The workspace is read-only',
    message: 'The subscription of this workspace is {status}, so the workspace is read-only.',
    cause: 'The subscription was cancelled or a payment failed.',
    remedy: 'An admin can pay with `POST /billing/portal`. Reading still works.',
  },
  {
    error: 'ForbiddenError',
    status: 429,
    title: 'There are too many requests',
    message:
      'You may send at most {limit} requests a minute {scope}, got more. Try again in {retrySeconds} s.',
    cause: 'A program sends requests faster than the server allows for one credential.',
    remedy: 'Wait for the seconds in `Retry-After`. Write many records in one request rather than one each.',
  },
  {
    error: 'ForbiddenError',
    status: 429,
    title: 'Too many sign-ins have failed',
    message:
      'Too many sign-ins from your address have failed. Try again in {seconds} s, or reset the password.',
    cause:
      'Someone at your address has sent wrong passwords. After some of them, each makes the wait longer.',
    remedy: 'Wait, or reset the password.',
  },
  {
    error: 'LuceneParseError',
    status: 400,
    title: 'A search has a stray character',
    message: 'At character {offset}, found {found}: expected a word, a phrase, a field or a group.',
    cause: 'A character with a meaning in Lucene, such as `(`, `:` or `/`, stands where a word should.',
    remedy: 'Write a backslash before the character, or put the value in double quotes.',
  },
  {
    error: 'MissingIndexError',
    status: 400,
    title: 'A search names no field',
    message: 'searching any field is turned off for this dataset: write field:value.',
    cause: 'The dataset was created without `searchAnyField`, or somebody has turned it off.',
    remedy: 'Write `field:word`, or turn on `searchAnyField` in the settings of the dataset.',
  },
  {
    error: 'NotFoundError',
    status: 404,
    title: 'Nothing has this id',
    message: 'There is no {kind} with id "{id}".',
    cause: 'The id is wrong, the object was deleted or is in another workspace, or you may not see it.',
    remedy: 'Check the id and the workspace of your session, then ask an admin for access.',
  },
  {
    error: 'NotImplementedError',
    status: 501,
    title: 'The server sends no mail',
    message: 'This server sends no mail (setting SMTP_URL)',
    cause: 'The operator has set up no mail server, so links can’t be sent.',
    remedy: 'Operators set `SMTP_URL`, or reset an account on the command line.',
  },
  {
    error: 'QueryError',
    status: 400,
    title: 'A query was cancelled',
    message: 'The query "{searchId}" was cancelled.',
    cause: 'You have cancelled the query while it ran, for example in another window.',
    remedy: 'Send it again.',
  },
  {
    error: 'SecurityError',
    status: 400,
    title: 'A label mixes two operators',
    message: '(combine & and | with parentheses)',
    cause: '`A&B|C` could mean two labels.',
    remedy: 'Write `(A&B)|C` or `A&(B|C)`.',
  },
  {
    error: 'SecurityError',
    status: 400,
    title: 'A label names a new attribute',
    message:
      'A label may name only existing attributes, because writes create no attributes in this workspace.',
    cause: 'An attribute is misspelt, or nobody has created it yet.',
    remedy: 'Correct the label, or let a person who manages attributes create the attribute.',
  },
  {
    error: 'SqlParseError',
    status: 400,
    title: 'A column does not exist',
    message: 'the column "{name}" does not exist',
    cause: 'No record that you can see has the field. Names without double quotes are read in lower case.',
    remedy: 'Write names with capital letters in double quotes, and texts in single quotes.',
  },
];

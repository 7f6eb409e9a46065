import type { Credentials } from '@redoubt/contract';
import { describeValue, invalidField, unknownField } from '@redoubt/errors';

/** A validated request to sign in. */
export type SignInRequest =
  | { strategy: 'local'; email: string; password: string; workspaceId: string | undefined }
  | { strategy: 'jwt'; accessToken: string; workspaceId: string | undefined }
  | { strategy: 'key'; key: string; workspaceId: string | undefined }
  | {
      strategy: 'proxy';
      email: string;
      names: { firstName: string; lastName: string };
      workspaceId: string | undefined;
    }
  | {
      strategy: 'provider';
      provider: string;
      shown: { accessToken: string } | { code: string };
      workspaceId: string | undefined;
    };

type Field = Exclude<keyof Credentials, 'strategy' | 'workspaceId'>;
interface Fields {
  required: readonly Field[];
  optional?: readonly Field[];
}

const singleSignOn: Fields = { required: ['access_token'] };
const singleSignOnByCode: Fields = { required: ['code'] };

/** The fields of each strategy. Fields of other strategies are rejected. */
const strategies = new Map<string, Fields>([
  ['local', { required: ['email', 'password'] }],
  ['proxy', { required: ['email', 'password'], optional: ['firstName', 'lastName'] }],
  ['jwt', { required: ['accessToken'] }],
  ['keycloak', singleSignOn],
  ['microsoft', singleSignOn],
  ['google', singleSignOn],
  ['github', singleSignOn],
  ['okta', singleSignOn],
  ['custom', singleSignOn],
]);

const allFields: readonly Field[] = [
  'email',
  'password',
  'firstName',
  'lastName',
  'accessToken',
  'access_token',
  'code',
  'key',
];

const fieldsOf = (strategy: string): Fields => {
  const fields = strategies.get(strategy);
  if (fields !== undefined) return fields;
  const known = [...strategies.keys()].join(', ');
  throw invalidField({
    field: 'strategy',
    expected: `one of ${known}`,
    got: describeValue(strategy),
    advice: 'Send one of these. To sign in with an API key, add ?apiKey=true.',
  });
};

/** Returns the value of a required field. */
const requireField = (credentials: Credentials, field: Field): string => {
  const value = credentials[field];
  if (value === undefined) {
    throw invalidField({
      field,
      expected: `present for strategy "${credentials.strategy}"`,
      got: describeValue(value),
      advice: 'Send it.',
    });
  }
  return value;
};

const checkFields = (credentials: Credentials, { required, optional = [] }: Fields): void => {
  for (const field of required) requireField(credentials, field);
  const known = [...required, ...optional];
  const unexpected = allFields.find((field) => credentials[field] !== undefined && !known.includes(field));
  if (unexpected !== undefined) {
    throw unknownField({ field: unexpected, kind: `a field of strategy "${credentials.strategy}"`, known });
  }
};

const workspaceOf = (inBody: string | undefined, inQuery: string | undefined): string | undefined => {
  if (inBody !== undefined && inQuery !== undefined && inBody !== inQuery) {
    throw invalidField({
      field: 'workspaceId',
      expected: 'the same in the body and in the query string',
      got: `"${inBody}" and "${inQuery}"`,
      advice: 'Send only one of them.',
    });
  }
  return inBody ?? inQuery;
};

/**
 * Parses a request to sign in.
 * @throws RedoubtError 400 for an unknown strategy, and for missing or unexpected fields
 */
export const parseCredentials = (
  credentials: Credentials,
  query: { apiKey?: boolean; workspaceId?: string },
): SignInRequest => {
  const { strategy } = credentials;
  const workspaceId = workspaceOf(credentials.workspaceId, query.workspaceId);
  if (query.apiKey) {
    checkFields(credentials, { required: ['key'] });
    return { strategy: 'key', key: requireField(credentials, 'key'), workspaceId };
  }
  const known = fieldsOf(strategy);
  const isByCode = known === singleSignOn && credentials.code !== undefined;
  checkFields(credentials, isByCode ? singleSignOnByCode : known);
  if (strategy === 'local') {
    return {
      strategy,
      email: requireField(credentials, 'email'),
      password: requireField(credentials, 'password'),
      workspaceId,
    };
  }
  if (strategy === 'jwt')
    return { strategy, accessToken: requireField(credentials, 'accessToken'), workspaceId };
  if (strategy === 'proxy') {
    const { firstName = '', lastName = '' } = credentials;
    if (requireField(credentials, 'password') !== '')
      throw invalidField({
        field: 'password',
        expected: 'empty for strategy "proxy", because the proxy authenticates the person',
        advice: 'Send an empty string.',
      });
    const email = requireField(credentials, 'email');
    return { strategy, email, names: { firstName, lastName }, workspaceId };
  }
  const { code } = credentials;
  const shown = code === undefined ? { accessToken: requireField(credentials, 'access_token') } : { code };
  return { strategy: 'provider', provider: strategy, shown, workspaceId };
};

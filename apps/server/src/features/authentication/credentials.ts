import type { Credentials } from '@redoubt/contract';
import { badField } from '@redoubt/errors';

/** A sign-in that this server can check. */
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

/** The fields that each strategy takes; a field of another strategy is refused. */
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
  throw badField(
    'strategy',
    `"${strategy}" is not known. Known are ${known}; an API key needs ?apiKey=true.`,
  );
};

/** The text of a required field. */
const need = (credentials: Credentials, field: Field): string => {
  const value = credentials[field];
  if (value === undefined) throw badField(field, `is required for strategy "${credentials.strategy}".`);
  return value;
};

const checkFields = (credentials: Credentials, { required, optional = [] }: Fields): void => {
  for (const field of required) need(credentials, field);
  const taken = [...required, ...optional];
  const stray = allFields.find((field) => credentials[field] !== undefined && !taken.includes(field));
  if (stray !== undefined) {
    throw badField(stray, `is no field of strategy "${credentials.strategy}"; it takes ${taken.join(', ')}.`);
  }
};

const workspaceOf = (inBody: string | undefined, inQuery: string | undefined): string | undefined => {
  if (inBody !== undefined && inQuery !== undefined && inBody !== inQuery) {
    throw badField('workspaceId', `the body says "${inBody}" and the query string "${inQuery}". Send one.`);
  }
  return inBody ?? inQuery;
};

/**
 * Understands what was sent to sign in, wholly.
 * @throws 400 for an unknown strategy and for missing or stray fields
 */
export const parseCredentials = (
  credentials: Credentials,
  query: { apiKey?: boolean; workspaceId?: string },
): SignInRequest => {
  const { strategy } = credentials;
  const workspaceId = workspaceOf(credentials.workspaceId, query.workspaceId);
  if (query.apiKey) {
    checkFields(credentials, { required: ['key'] });
    return { strategy: 'key', key: need(credentials, 'key'), workspaceId };
  }
  const known = fieldsOf(strategy);
  const isByCode = known === singleSignOn && credentials.code !== undefined;
  checkFields(credentials, isByCode ? singleSignOnByCode : known);
  if (strategy === 'local') {
    return {
      strategy,
      email: need(credentials, 'email'),
      password: need(credentials, 'password'),
      workspaceId,
    };
  }
  if (strategy === 'jwt') return { strategy, accessToken: need(credentials, 'accessToken'), workspaceId };
  if (strategy === 'proxy') {
    const { firstName = '', lastName = '' } = credentials;
    if (need(credentials, 'password') !== '')
      throw badField('password', 'must be empty for strategy "proxy": the proxy says who signs in.');
    const email = need(credentials, 'email');
    return { strategy, email, names: { firstName, lastName }, workspaceId };
  }
  const { code } = credentials;
  const shown = code === undefined ? { accessToken: need(credentials, 'access_token') } : { code };
  return { strategy: 'provider', provider: strategy, shown, workspaceId };
};

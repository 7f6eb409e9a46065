import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, queryMemoryOf, readConfig, signUpRule, singleSignOnOf } from './index.ts';
import { halfOf } from './machine-memory.ts';

const ruleOf = (environment: Record<string, string>) => signUpRule(readConfig(environment));
const limitsOf = (environment: Record<string, string>) => {
  const { MAX_BODY_BYTES, MAX_PATHS } = readConfig(environment);
  return [MAX_BODY_BYTES, MAX_PATHS];
};

const queryBytesOf = (environment: Record<string, string>) => queryMemoryOf(readConfig(environment));

test('the server listens on 127.0.0.1 unless HOST says otherwise', () => {
  equal(readConfig({}).HOST, '127.0.0.1');
  equal(readConfig({ HOST: '' }).HOST, '127.0.0.1');
  equal(readConfig({ HOST: '0.0.0.0' }).HOST, '0.0.0.0');
});

test('sign-up is open by default where only this machine reaches the server, otherwise for those invited', () => {
  for (const HOST of ['127.0.0.1', '127.1.2.3', 'localhost', '::1']) equal(ruleOf({ HOST }), 'open', HOST);
  for (const HOST of ['0.0.0.0', '::', '192.168.0.1', 'localhost.example.org', '127.0.0.1.example.org']) {
    equal(ruleOf({ HOST }), 'invited', HOST);
  }
  for (const SIGN_UP of ['open', 'invited', 'closed']) equal(ruleOf({ HOST: '0.0.0.0', SIGN_UP }), SIGN_UP);
});

test('limits have the defaults of the specification, and the operator changes them', () => {
  deepEqual(limitsOf({}), [64 * 1024 * 1024, 10_000]);
  deepEqual(limitsOf({ MAX_BODY_BYTES: '2048', MAX_PATHS: '5' }), [2048, 5]);
});

test('the record engine may take half of the memory of the machine or of its container, or what the operator sets', () => {
  const gigabyte = 2 ** 30;
  equal(halfOf({ machine: 8 * gigabyte, container: 2 * gigabyte }), gigabyte);
  for (const none of [0, 2 ** 64]) equal(halfOf({ machine: 8 * gigabyte, container: none }), 4 * gigabyte);
  equal(halfOf({ machine: gigabyte / 4, container: 0 }), gigabyte / 2);
  equal(readConfig({}).MEMORY_LIMIT, halfOf());
  equal(readConfig({ MEMORY_LIMIT: '3000000000' }).MEMORY_LIMIT, 3_000_000_000);
});

test('a query may take 2 GB, or half of what the record engine may take where that is less', () => {
  equal(queryBytesOf({ MEMORY_LIMIT: '9000000000' }), 2 ** 31);
  equal(queryBytesOf({ MEMORY_LIMIT: '3000000000' }), 1_500_000_000);
  equal(queryBytesOf({ MEMORY_LIMIT: '3000000000', QUERY_MEMORY_BYTES: '2000000000' }), 2_000_000_000);
});

test('a setting that is wrong is named, with what was sent and what is expected', () => {
  for (const [name, value, expected] of [
    ['PORT', '99999', 'PORT is "99999"; expected a whole number from 0 to 65535.'],
    ['MAX_BODY_BYTES', '1e3x', 'MAX_BODY_BYTES is "1e3x"; expected a whole number from 1024 to 1073741824.'],
    [
      'CLICKHOUSE_URL',
      'http://redoubt:secret@localhost:8123',
      'CLICKHOUSE_URL is no address of the form http://host:8123 or https://host:8443; user and password are settings of their own.',
    ],
    [
      'CLICKHOUSE_CLUSTER',
      'main',
      'CLICKHOUSE_CLUSTER is "main", but no server of it is named: set CLICKHOUSE_URL as well.',
    ],
    [
      'S3_ACCESS_KEY_ID',
      'someone',
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: set both, or neither.',
    ],
    ['S3_BUCKET', 'A/b', 'S3_BUCKET is "A/b"; expected 3 to 63 small letters, digits, "." and "-".'],
    ['CLICKHOUSE_DATABASE', 'a-b', 'CLICKHOUSE_DATABASE is "a-b"; expected letters, digits and "_".'],
    [
      'TRUSTED_PROXIES',
      '10.0.0.1, proxy',
      'TRUSTED_PROXIES has "proxy"; expected addresses and networks such as 10.0.0.5, 10.1.0.0/16.',
    ],
    [
      'CORS_ORIGINS',
      'https://app.example.org/',
      'CORS_ORIGINS has "https://app.example.org/"; expected origins such as https://app.example.org, without a path.',
    ],
    [
      'CORS_ORIGINS',
      '*',
      'CORS_ORIGINS has "*"; expected origins such as https://app.example.org, without a path.',
    ],
    ['TLS', 'yes', 'TLS is "yes"; expected one of self-signed.'],
    ['TLS_CERT', 'tls.crt', 'TLS_CERT and TLS_KEY go together: set both, or neither.'],
    [
      'STRIPE_SECRET_KEY',
      'sk_live_x',
      'STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_BASE go together: set STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_BASE as well, or none of them.',
    ],
    ['STRIPE_WEBHOOK_SECRET', 'secret', 'STRIPE_WEBHOOK_SECRET does not begin with whsec_.'],
    ['STRIPE_API_URL', 'stripe', 'STRIPE_API_URL is no address of the form https://api.stripe.com.'],
    ['SIGN_UP', 'yes', 'SIGN_UP is "yes"; expected one of open, invited, closed.'],
    [
      'JWT_SECRET',
      'short',
      'JWT_SECRET is shorter than 32 characters: set a longer one, or none, and one is made.',
    ],
  ] as const) {
    throws(
      () => readConfig({ [name]: value }),
      (error) => error instanceof ConfigError && error.message === expected,
    );
  }
});

test('nobody signs in by others unless it is set up, and the settings of a provider go together', () => {
  const { trustedIssuers, allowsPrivate, ...providers } = singleSignOnOf(readConfig({}));
  deepEqual(
    [trustedIssuers, allowsPrivate, new Set(Object.values(providers))],
    [[], false, new Set([undefined])],
  );
  const okta = {
    OKTA_ISSUER: 'https://example.okta.com/oauth2/default/',
    OKTA_CLIENT_ID: 'id',
    OKTA_CLIENT_SECRET: 'secret',
  };
  deepEqual(singleSignOnOf(readConfig(okta)).okta, {
    issuer: 'https://example.okta.com/oauth2/default',
    clientId: 'id',
    clientSecret: 'secret',
  });
  const { google, github } = singleSignOnOf(
    readConfig({
      GOOGLE_CLIENT_ID: 'a',
      GOOGLE_CLIENT_SECRET: 'b',
      GITHUB_CLIENT_ID: 'c',
      GITHUB_CLIENT_SECRET: 'd',
    }),
  );
  deepEqual(
    [google?.issuer, google?.tokenInfoUrl],
    ['https://accounts.google.com', 'https://oauth2.googleapis.com/tokeninfo'],
  );
  deepEqual([github?.url, github?.apiUrl], ['https://github.com', 'https://api.github.com']);
  for (const [environment, expected] of [
    [{ OKTA_CLIENT_ID: 'id' }, /OKTA_ISSUER and OKTA_CLIENT_SECRET as well/],
    [{ GITHUB_CLIENT_SECRET: 's' }, /GITHUB_CLIENT_ID as well/],
    [{ PROXY_SIGN_IN_FROM: '10.0.0.1' }, /PROXY_SIGN_IN_SECRET go together/],
    [{ PROXY_SIGN_IN_FROM: 'proxy.example.org' }, /expected addresses and networks/],
    [{ PROXY_SIGN_IN_FROM: '10.0.0.0/33' }, /expected addresses and networks/],
    [{ PROXY_SIGN_IN_SECRET: 'short' }, /shorter than 32/],
    [{ PROXY_SIGN_IN_HEADER: 'X Email' }, /name of a header/],
    [{ KEYCLOAK_ISSUER: 'http://id.example.org' }, /https:/],
    [{ KEYCLOAK_ISSUER: 'http://localhost.example.org' }, /https:/],
    [{ SSO_TRUSTED_ISSUERS: 'https://a.example.org, b' }, /https:/],
    [{ ALLOW_PRIVATE_ADDRESSES: 'true' }, /yes or no/],
  ] as const) {
    throws(
      () => readConfig(environment),
      (error) => error instanceof ConfigError && expected.test(error.message),
    );
  }
  const proxy = { PROXY_SIGN_IN_FROM: '10.0.0.1, 10.1.0.0/16', PROXY_SIGN_IN_SECRET: 'x'.repeat(32) };
  deepEqual(singleSignOnOf(readConfig(proxy)).proxy, {
    from: ['10.0.0.1', '10.1.0.0/16'],
    secret: 'x'.repeat(32),
    emailHeader: 'x-forwarded-email',
  });
});

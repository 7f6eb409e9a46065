/* Shows: K-api-version, R-error-5xx, X-catalogue-closed, R-api-version, R-api-host,
   R-simple-parser-deprecated, A-access-table, A-openapi */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { errorNames } from '@redoubt/errors';
import { Type } from 'typebox';
import { idParams, nullable, strictObject } from '../core/fields.ts';
import { toPageSchema } from '../core/list.ts';
import { defineRoute, type RouteDescriptor } from '../core/route.ts';
import { allRoutes } from '../core/routes.ts';
import { buildOpenApiDocument } from './document.ts';

interface DocumentedResponse {
  description: string;
  content: Record<string, { schema: Record<string, unknown> }>;
}
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  security: object[];
  parameters?: { name: string; in: string; required?: boolean; style?: string; schema: unknown }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, DocumentedResponse>;
}
interface Document {
  openapi: string;
  info: { version: string };
  servers: { url: string; variables: Record<string, { default: string }> }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { description?: string; properties?: Record<string, unknown>; enum?: string[] }>;
  };
}

const documentOf = (...list: RouteDescriptor[]) => buildOpenApiDocument(list) as unknown as Document;
const operationsOf = (document: Document) =>
  Object.values(document.paths).flatMap((item) => Object.values(item));
const whole = buildOpenApiDocument() as unknown as Document;

/** Lints by the recommended rules; returns problems as `rule: message at place`. */
const lint = async (document: unknown): Promise<string[]> => {
  // Redirects succeed with 303; another test covers the success responses.
  const rules = { 'operation-2xx-response': 'off' } as const;
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? 'the document'}`,
  );
};

const Thing = strictObject(
  {
    id: Type.String(),
    size: Type.Integer(),
    kind: Type.Union([Type.Literal('a'), Type.Literal('b')]),
    owner: nullable(Type.String()),
    extra: Type.Record(Type.String(), Type.Unknown()),
    pair: Type.Tuple([Type.String(), Type.Integer()]),
  },
  { title: 'Thing' },
);
const common = { tag: 'System', summary: 'S', description: 'D.', caller: 'member' } as const;
const listThings = defineRoute({
  ...common,
  method: 'GET',
  path: '/things',
  operationId: 'listThings',
  query: strictObject({
    full: Type.Optional(Type.Boolean({ description: 'All fields.' })),
    of: Type.String(),
  }),
  list: { entity: Thing, filters: ['id', 'size', 'kind', 'owner'], extraFilters: { token: Type.String() } },
  success: { status: 200, description: 'A page.', schema: toPageSchema(Thing) },
  errors: ['ForbiddenError', 'SecurityError'],
});
const patchThing = defineRoute({
  ...common,
  method: 'PATCH',
  path: '/things/{id}',
  aliases: ['/thing/{id}', '/things/{id}/'],
  operationId: 'patchThing',
  params: idParams('The thing.'),
  body: strictObject({ size: Type.Integer() }),
  success: { status: 200, description: 'It.', schema: Thing },
  errors: ['NotFoundError'],
});
const open = defineRoute({
  ...common,
  caller: 'anyone',
  ignoresCredential: true,
  method: 'GET',
  path: '/open',
  operationId: 'open',
  success: { status: 200, description: 'It.', schema: Thing },
  errors: [],
});
const sample = documentOf(listThings, patchThing, open);

describe('the API description', () => {
  test('the description of the whole API passes the recommended rules of the OpenAPI linter', async () => {
    assert.match(whole.openapi, /^3\.1\./);
    assert.deepEqual(await lint(whole), []);
  });

  test('every call has a success response, which is 2xx except for redirects', () => {
    const operations = Object.values(whole.paths).flatMap((item) => Object.values(item));
    const without = operations.filter(
      ({ responses }) => !Object.keys(responses).some((code) => code.startsWith('2')),
    );
    assert.deepEqual(without.map(({ operationId }) => operationId).toSorted(), [
      'beginSingleSignOn',
      'finishSingleSignOn',
    ]);
    for (const { responses } of without) assert.ok('303' in responses);
  });

  test('the OpenAPI linter reports errors', async () => {
    const [operation] = Object.values(sample.paths['/things/{id}'] ?? {});
    const broken = { ...sample, paths: { '/things/{other}': { get: { ...operation, operationId: 'a b' } } } };
    const findings = (await lint(broken)).join('\n');
    for (const rule of [
      'path-parameters-defined',
      'operation-operationId-url-safe',
      'no-unused-components',
    ]) {
      assert.ok(findings.includes(rule), findings);
    }
  });

  test('every operation has a unique id, a summary, a 4XX and a 5XX response', () => {
    const operations = operationsOf(whole);
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
    for (const { operationId, summary, responses } of operations) {
      assert.ok(operationId && summary, operationId);
      for (const series of ['4', '5']) {
        assert.ok(
          Object.keys(responses).some((status) => status.startsWith(series)),
          operationId,
        );
      }
    }
  });

  test('every route of the registry is described at each of its paths', () => {
    for (const route of allRoutes) {
      for (const path of [route.path, ...(route.aliases ?? [])]) {
        const spelling = path === '/' ? path : path.replace(/\/$/, '');
        assert.ok(whole.paths[spelling]?.[route.method.toLowerCase()], `${route.method} ${path}`);
      }
    }
  });

  test('the description has the API version that existing clients expect', () => {
    assert.equal(whole.info.version, '4.176.0');
  });

  test('the server of the description is a variable with a default', () => {
    const [server, ...others] = whole.servers;
    assert.deepEqual([server?.url, others], ['{host}', []]);
    assert.match(server?.variables['host']?.default ?? '', /^http:\/\//);
  });

  test('the description says that simple-parser is deprecated and what to use instead', () => {
    const { LabelParserId } = whole.components.schemas;
    assert.match(LabelParserId?.description ?? '', /simple-parser is deprecated: use identity-parser/);
  });

  test('a schema with a title appears once in the description', () => {
    assert.deepEqual(Object.keys(sample.components.schemas), [
      'Error',
      'IntegerOperators',
      'TextOperators',
      'Thing',
      'ThingPage',
    ]);
    const ref = { $ref: '#/components/schemas/Thing' };
    assert.deepEqual(sample.paths['/open']?.['get']?.responses['200']?.content['application/json'], {
      schema: ref,
    });
    assert.deepEqual(sample.components.schemas['ThingPage']?.properties?.['data'], {
      type: 'array',
      items: ref,
    });
  });

  test('two different schemas may not share a title', () => {
    const other = {
      ...open,
      path: '/other',
      success: { ...open.success, schema: strictObject({}, { title: 'Thing' }) },
    };
    assert.throws(() => documentOf(open, other), /share the title "Thing"/);
  });

  test('schemas use the keywords of OpenAPI 3.1', () => {
    const { kind, extra, pair } = sample.components.schemas['Thing']?.properties ?? {};
    assert.deepEqual(kind, { type: 'string', enum: ['a', 'b'] });
    assert.deepEqual(extra, { type: 'object', additionalProperties: true });
    assert.deepEqual(pair, {
      type: 'array',
      minItems: 2,
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: false,
    });
  });

  test('a list is described with its conventions, filters and flags', () => {
    const parameters = sample.paths['/things']?.['get']?.parameters ?? [];
    assert.deepEqual(
      parameters.map(({ name }) => name),
      ['full', 'of', '$limit', '$skip', '$sort', 'id', 'size', 'kind', 'owner', 'token', '$or'],
    );
    const byName = (name: string) => parameters.find((parameter) => parameter.name === name);
    assert.equal(byName('of')?.required, true);
    assert.equal(byName('$sort')?.style, 'deepObject');
    assert.deepEqual(byName('size')?.schema, {
      anyOf: [{ type: 'integer' }, { $ref: '#/components/schemas/IntegerOperators' }],
    });
  });

  test('the alias of a path is described with its own id', () => {
    assert.equal(sample.paths['/things/{id}']?.['patch']?.operationId, 'patchThing');
    assert.equal(sample.paths['/thing/{id}']?.['patch']?.operationId, 'patchThingAlias');
    assert.equal(Object.keys(sample.paths).length, 4);
  });

  test('errors are described by status with one schema that lists every error name', () => {
    const { responses } = sample.paths['/things/{id}']?.['patch'] ?? assert.fail();
    assert.deepEqual(Object.keys(responses), ['200', '400', '401', '404', '409', '413', '429', '500', '503']);
    for (const [status, { content }] of Object.entries(responses)) {
      const schema = status === '200' ? 'Thing' : 'Error';
      assert.equal(content['application/json']?.schema['$ref'], `#/components/schemas/${schema}`);
    }
    assert.deepEqual(Object.keys(sample.paths['/open']?.['get']?.responses ?? {}), [
      '200',
      '400',
      '413',
      '429',
      '500',
      '503',
    ]);
    const list = sample.paths['/things']?.['get']?.responses ?? {};
    assert.match(list['400']?.description ?? '', /BadRequestError: .*SecurityError: /);
    const name = sample.components.schemas['Error']?.properties?.['name'] as { enum: string[] };
    assert.deepEqual(name.enum, errorNames);
  });

  test('errors before a request reaches an OAuth call are described as errors of the catalogue', () => {
    const { responses = {} } = whole.paths['/oauth2/auth']?.['get'] ?? {};
    const schemaOf = (status: number) => responses[status]?.content['application/json']?.schema;
    const [own, usual] = ['OAuthError', 'Error'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    for (const status of [400, 413]) assert.deepEqual(schemaOf(status), { anyOf: [own, usual] });
    assert.deepEqual(schemaOf(401), own);
  });

  test('a call that asks for a credential names both ways, an open one none', () => {
    assert.deepEqual(sample.paths['/things']?.['get']?.security, [{ bearer: [] }, { apiKey: [] }]);
    assert.deepEqual(sample.paths['/open']?.['get']?.security, []);
  });

  test('an open call that looks at a credential names both ways as optional', () => {
    assert.deepEqual(whole.paths['/users']?.['post']?.security, [{}, { bearer: [] }, { apiKey: [] }]);
  });

  test('the description of a call contains its access rule', () => {
    const { description } = whole.paths['/attributes']?.['post'] ?? assert.fail();
    assert.match(description, /\*\*Who may:\*\* Admins of the workspace and holders of manage-attributes\./);
  });
});

import { describeRule } from '../access/access-rule.ts';
import { findAccessRule } from '../access/access-rules.ts';
import type { RouteDescriptor } from '../core/route.ts';
import { allRoutes } from '../core/routes.ts';
import { toOpenApiResponses } from './responses.ts';
import { toOpenApiParameters } from './parameters.ts';
import { createSchemaCollector, type Json, type SchemaCollector } from './schemas.ts';
import { tagDescriptions } from './tags.ts';

/** The version of the API that Redoubt implements. */
export const apiVersion = '4.176.0';

const info = {
  title: 'Redoubt API',
  version: apiVersion,
  summary: 'A data platform with zero-trust security.',
  description:
    'Records are stored in datasets inside workspaces. Every record can carry a label, and you only see records whose label your attributes satisfy.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const servers = [
  {
    url: '{host}',
    description: 'The Redoubt server.',
    variables: {
      host: { default: 'http://localhost:7600', description: 'Scheme, name and port of the server.' },
    },
  },
];

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token that `POST /authentication` returns.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key. If you also send a bearer token, only the token counts.',
  },
};

/** The path and aliases of a route without trailing slashes, which the server ignores. Each path is returned once. */
const pathsOf = ({ path, aliases = [] }: RouteDescriptor): string[] => [
  ...new Set(
    [path, ...aliases].map((spelling) => (spelling === '/' ? spelling : spelling.replace(/\/+$/, ''))),
  ),
];

const operationIdAt = (route: RouteDescriptor, index: number): string =>
  index === 0 ? route.operationId : `${route.operationId}Alias${index === 1 ? '' : index}`;

const anyCredential = [{ bearer: [] }, { apiKey: [] }];

/** The credentials that a call accepts. In OpenAPI, an empty entry means that the credential is optional. */
const securityOf = ({ caller, bearer, ignoresCredential }: RouteDescriptor): Json[] => {
  const credentials = bearer === true ? [{ bearer: [] }] : anyCredential;
  if (caller !== 'anyone') return credentials;
  return ignoresCredential === true ? [] : [{}, ...credentials];
};

/** The access rule of the call as a sentence. */
const accessSentence = ({ operationId }: RouteDescriptor): string[] => {
  const rule = findAccessRule(operationId);
  return rule === undefined ? [] : [`**Who may:** ${describeRule(rule)}`];
};

const operationOf = (route: RouteDescriptor, index: number, schemas: SchemaCollector): Json => {
  const parameters = toOpenApiParameters(route, schemas);
  const spelling = index === 0 ? [] : [`Another path for \`${route.path}\`.`];
  return {
    operationId: operationIdAt(route, index),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, ...accessSentence(route), ...spelling].join('\n\n'),
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [route.bodyType ?? 'application/json']: { schema: schemas.convert(route.body) } },
          },
        }),
    responses: toOpenApiResponses(route, schemas),
  };
};

/** The tags in use, in the order of their descriptions; tags without a description come last. */
const tagsOf = (list: readonly RouteDescriptor[]): Json[] => {
  const used = new Set(list.map((route) => route.tag));
  const known = Object.keys(tagDescriptions).filter((name) => used.has(name));
  return [...new Set([...known, ...used])].map((name) => {
    const description = tagDescriptions[name];
    return description === undefined ? { name } : { name, description };
  });
};

/**
 * Builds the OpenAPI 3.1 document of the given routes. Schemas with a title become components.
 * @throws Error if two different schemas share a title
 */
export const buildOpenApiDocument = (list: readonly RouteDescriptor[] = allRoutes): Json => {
  const schemas = createSchemaCollector();
  const paths: Record<string, Json> = {};
  for (const route of list) {
    for (const [index, path] of pathsOf(route).entries()) {
      const item = (paths[path] ??= {});
      item[route.method.toLowerCase()] = operationOf(route, index, schemas);
    }
  }
  return {
    openapi: '3.1.1',
    info,
    servers,
    tags: tagsOf(list),
    paths,
    components: { securitySchemes, schemas: schemas.components() },
  };
};

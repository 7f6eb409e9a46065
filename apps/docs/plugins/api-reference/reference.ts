import {
  listRouteErrors,
  readFilterSchemas,
  buildOpenApiDocument,
  routes,
  findAccessRule,
  describeRule,
  tagDescriptions,
  type RouteDescriptor,
} from '@redoubt/contract';
import type {
  ApiFilter,
  ApiOperation,
  ApiParameter,
  ApiSection,
  CredentialRule,
  Recording,
  Schema,
  Schemas,
} from '../../src/api/types.ts';

/** The last segment of the address of a tag's page: "API keys" is at `/api/api-keys/`. */
export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

interface DocumentOperation {
  parameters?: {
    name: string;
    in: 'path' | 'query';
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { schemas: Record<string, Schema> };
}

const refPrefix = '#/components/schemas/';

/** Collects the schemas that a value refers to, directly or through other schemas, by name. */
const gatherSchemas = (value: unknown, all: Schemas, found: Record<string, Schema>): void => {
  if (Array.isArray(value)) {
    for (const item of value) gatherSchemas(item, all, found);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const { $ref } = value as Schema;
  const name = $ref?.startsWith(refPrefix) ? $ref.slice(refPrefix.length) : undefined;
  if (name !== undefined && found[name] === undefined) {
    const schema = all[name];
    if (schema === undefined)
      throw new Error(`The API description refers to the schema "${name}", which it does not contain.`);
    found[name] = schema;
    gatherSchemas(schema, all, found);
  }
  for (const item of Object.values(value)) gatherSchemas(item, all, found);
};

const credentialOf = ({ caller, bearer, ignoresCredential }: RouteDescriptor): CredentialRule => {
  if (bearer === true) return 'bearer';
  if (caller !== 'anyone') return 'any';
  return ignoresCredential === true ? 'none' : 'optional';
};

const isRead = ({ method, runsQuery, path }: RouteDescriptor): boolean =>
  method === 'GET' || runsQuery === true || path === '/audit-log/query';

const filtersOfRoute = ({ list }: RouteDescriptor, own: ReadonlySet<string>): ApiFilter[] =>
  list === undefined
    ? []
    : [...readFilterSchemas(list)]
        .filter(([name]) => !own.has(name))
        .map(([name, { kind, values }]) => ({
          name,
          kind,
          ...(values === undefined ? {} : { values: values.map(String) }),
        }));

const parametersOf = (
  { query }: RouteDescriptor,
  operation: DocumentOperation,
  filters: readonly ApiFilter[],
): ApiParameter[] => {
  const filtered = new Set(filters.map(({ name }) => name));
  const own = new Set(Object.keys(query?.properties ?? {}));
  return (operation.parameters ?? [])
    .filter(({ name, in: place }) => place === 'path' || own.has(name) || !filtered.has(name))
    .map(({ name, in: place, required = false, description = '', schema }) => ({
      name,
      in: place,
      required,
      description: description === '' ? (schema.description ?? '') : description,
      // The keys of these two are filters, which are in a separate table.
      schema: name === '$sort' || name === '$or' ? { type: name === '$or' ? 'array' : 'object' } : schema,
    }));
};

const operationOf = (
  route: RouteDescriptor,
  { paths }: Document,
  recording: Recording | undefined,
): ApiOperation => {
  const operation = paths[route.path]?.[route.method.toLowerCase()];
  const answer = operation?.responses[route.success.status];
  const rule = findAccessRule(route.operationId);
  if (operation === undefined || answer === undefined || rule === undefined) {
    throw new Error(
      `The API description must contain ${route.operationId} with a response and an access rule. Check its descriptor in packages/contract.`,
    );
  }
  const [body] = Object.entries(operation.requestBody?.content ?? {});
  const { mediaType = 'application/json', otherMediaTypes = {} } = route.success;
  const filters = filtersOfRoute(route, new Set(Object.keys(route.query?.properties ?? {})));
  return {
    id: route.operationId,
    method: route.method,
    path: route.path,
    aliases: route.aliases ?? [],
    summary: route.summary,
    description: route.description,
    whoMay: describeRule(rule),
    credential: credentialOf(route),
    changes: !isRead(route),
    parameters: parametersOf(route, operation, filters),
    filters,
    ...(body === undefined ? {} : { body: { mediaType: body[0], schema: body[1].schema } }),
    answer: {
      status: route.success.status,
      description: answer.description,
      mediaType,
      schema: answer.content[mediaType]?.schema ?? {},
    },
    otherMediaTypes,
    errors: listRouteErrors(route),
    ...(recording === undefined ? {} : { recording }),
  };
};

/**
 * The pages of the reference, one for each tag with calls, in the order of the contract.
 * @param recordings by operationId
 * @throws Error when a call is not in the API description
 */
export const apiSections = (recordings: Readonly<Record<string, Recording>>): ApiSection[] => {
  const document = buildOpenApiDocument() as unknown as Document;
  const list: readonly RouteDescriptor[] = Object.values(routes);
  const tags = [...new Set([...Object.keys(tagDescriptions), ...list.map(({ tag }) => tag)])];
  return tags.flatMap((name) => {
    const operations = list
      .filter(({ tag }) => tag === name)
      .map((route) => operationOf(route, document, recordings[route.operationId]));
    if (operations.length === 0) return [];
    const schemas: Record<string, Schema> = {};
    gatherSchemas(
      operations.map(({ body, answer, parameters }) => ({ body, answer, parameters })),
      document.components.schemas,
      schemas,
    );
    return [{ name, slug: slugOf(name), description: tagDescriptions[name] ?? '', operations, schemas }];
  });
};

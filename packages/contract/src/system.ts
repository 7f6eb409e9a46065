import { Type } from 'typebox';
import { defineRoute } from './core/route.ts';

export const Health = Type.Object(
  { status: Type.Literal('ok') },
  { title: 'Health', additionalProperties: false },
);

export const systemRoutes = {
  getHealth: defineRoute({
    method: 'GET',
    path: '/health',
    operationId: 'getHealth',
    tag: 'System',
    summary: 'Check whether the server is ready',
    description: 'Returns 200 once the server accepts requests.',
    caller: 'anyone',
    ignoresCredential: true,
    success: { status: 200, description: 'The server is ready.', schema: Health },
    errors: [],
  }),
  getOpenApi: defineRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag: 'System',
    summary: 'Get the description of this API',
    description: 'Returns an OpenAPI 3.1 document with every call.',
    caller: 'anyone',
    ignoresCredential: true,
    success: {
      status: 200,
      description: 'The OpenAPI document.',
      schema: Type.Record(Type.String(), Type.Unknown()),
    },
    errors: [],
  }),
} as const;

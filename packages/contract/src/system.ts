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
    summary: 'Whether the server is ready',
    description: 'Answers 200 once the server takes requests.',
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
    summary: 'The description of this API',
    description: 'An OpenAPI 3.1 document of every call.',
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

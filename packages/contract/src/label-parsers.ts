import { Type, type Static } from 'typebox';
import { idParams, strictObject } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const LabelParser = strictObject(
  {
    id: Type.String({ description: 'What `parserClassName` of a write names it by.' }),
    name: Type.String(),
    description: Type.String(),
    deprecated: Type.Boolean({ description: 'It works, and another one is to be preferred.' }),
  },
  { title: 'LabelParser', description: 'A way in which the records of a write get their security labels.' },
);
export type LabelParser = Static<typeof LabelParser>;

const tag = 'Label parsers';

export const labelParserRoutes = {
  listLabelParsers: defineRoute({
    method: 'GET',
    path: '/abac-label-parsers',
    operationId: 'listLabelParsers',
    tag,
    summary: 'List label parsers',
    description: 'A page of the label parsers; they are the same everywhere.',
    caller: 'member',
    list: { entity: LabelParser, filters: ['id', 'name', 'description', 'deprecated'] },
    success: { status: 200, description: 'A page of label parsers.', schema: toPageSchema(LabelParser) },
    errors: ['AuthError', 'ForbiddenError'],
  }),
  getLabelParser: defineRoute({
    method: 'GET',
    path: '/abac-label-parsers/{id}',
    operationId: 'getLabelParser',
    tag,
    summary: 'Get a label parser',
    description: 'One label parser by its id, such as `identity-parser`.',
    caller: 'member',
    params: idParams('The id of the label parser.'),
    success: { status: 200, description: 'The label parser.', schema: LabelParser },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;

import { Type, type Static } from 'typebox';
import { idParams, strictObject } from './core/fields.ts';
import { toPageSchema } from './core/list.ts';
import { defineRoute } from './core/route.ts';

export const LabelParser = strictObject(
  {
    id: Type.String({ description: 'The value of `parserClassName` in a write.' }),
    name: Type.String(),
    description: Type.String(),
    deprecated: Type.Boolean({
      description: 'Whether you should use another parser instead. Deprecated parsers still work.',
    }),
  },
  { title: 'LabelParser', description: 'Decides how the records of a write get their security labels.' },
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
    description: 'Returns a page of the label parsers. They are the same in every workspace.',
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
    description: 'Returns one label parser, such as `identity-parser`.',
    caller: 'member',
    params: idParams('The id of the label parser.'),
    success: { status: 200, description: 'The label parser.', schema: LabelParser },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;

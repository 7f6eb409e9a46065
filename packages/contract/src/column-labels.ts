import { IdParam, idParams, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { ColumnSecurityLabels } from './security-labels.ts';

/** A column label hides the values of one column from readers whose attributes do not satisfy it. */
export const columnLabelRoutes = {
  patchColumnSecurity: defineRoute({
    method: 'PATCH',
    path: '/write/schema/{datasetId}',
    operationId: 'patchColumnSecurity',
    tag: 'Write',
    summary: 'Change the labels of columns',
    description:
      'Replaces labels that you satisfy; an empty label removes them. Labels that you do not satisfy stay, and readers must satisfy the new label as well. The response repeats the request and discloses nothing about existing labels. You can also label columns that no record has yet.',
    caller: 'member',
    bearer: true,
    params: strictObject({ datasetId: IdParam }),
    body: ColumnSecurityLabels,
    rawBody: true,
    success: {
      status: 201,
      description: 'The labels take effect with the next request.',
      schema: ColumnSecurityLabels,
    },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError', 'SecurityError'],
  }),
  listColumnLabels: defineRoute({
    method: 'GET',
    path: '/datasets/{id}/column-labels',
    operationId: 'listColumnLabels',
    tag: 'Write',
    summary: 'List the labels of columns',
    description:
      'Returns the labels of the columns that you see, in the form that PATCH /write/schema takes. A column that no record visible to you has is not listed, even if you labelled it.',
    caller: 'member',
    params: idParams('The id of the dataset.'),
    success: { status: 200, description: 'The labels.', schema: ColumnSecurityLabels },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;

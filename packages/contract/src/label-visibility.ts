import { Type, type Static } from 'typebox';
import { IdParam, nullable, strictObject } from './core/fields.ts';
import { defineRoute } from './core/route.ts';
import { maxPreviewRows } from './upload-previews.ts';

/** The maximum characters of one label. */
const maxLabelCharacters = 10_000;

export const LabelVisibilityRequest = strictObject(
  {
    labels: Type.Array(Type.String({ maxLength: maxLabelCharacters }), {
      minItems: 1,
      maxItems: maxPreviewRows,
      description: 'Labels; the empty one is for everybody who may read the dataset.',
    }),
    datasetId: Type.Optional({ ...IdParam, description: 'The dataset whose readers are counted.' }),
  },
  { title: 'LabelVisibilityRequest', examples: [{ labels: ['', 'REGION:EU&HR'] }] },
);
export type LabelVisibilityRequest = Static<typeof LabelVisibilityRequest>;

export const LabelVisibility = strictObject(
  {
    label: Type.String({ description: 'The label as it was sent.' }),
    isVisible: Type.Boolean({ description: 'Whether you satisfy the label.' }),
    readers: nullable(
      Type.Integer({
        minimum: 0,
        description:
          'How many people may read the dataset and satisfy the label; null without a dataset, and for everybody who may not know.',
      }),
    ),
  },
  { title: 'LabelVisibility' },
);
export type LabelVisibility = Static<typeof LabelVisibility>;

const LabelVisibilities = strictObject(
  { labels: Type.Array(LabelVisibility, { description: 'One entry for each label, in their order.' }) },
  { title: 'LabelVisibilities' },
);

/** Lets a person check who would see records before they are written. */
export const labelVisibilityRoutes = {
  getLabelVisibility: defineRoute({
    method: 'POST',
    path: '/label-visibility',
    operationId: 'getLabelVisibility',
    tag: 'Label parsers',
    summary: 'See which labels you satisfy',
    description:
      'Tells for each label whether records with it would be visible to you. With a dataset, people who may know it also get the number of people to whom they would be visible. It stores nothing and creates no attribute.',
    caller: 'member',
    staysOpen: true,
    body: LabelVisibilityRequest,
    success: { status: 200, description: 'The labels.', schema: LabelVisibilities },
    errors: ['AuthError', 'ForbiddenError', 'NotFoundError'],
  }),
} as const;

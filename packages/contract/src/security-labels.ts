import { Type } from 'typebox';
import { nullable, strictObject } from './core/fields.ts';

export const LabelParserId = Type.Union(
  [
    Type.Literal('identity-parser'),
    Type.Literal('simple-parser'),
    Type.Literal('apply-label-to-all-records-parser'),
    Type.Literal('capco-parser'),
  ],
  {
    title: 'LabelParserId',
    description:
      'How records get their label. identity-parser takes a label expression from the fields. apply-label-to-all-records-parser gives every record the same label. simple-parser is deprecated: use identity-parser, which parses its labels too. capco-parser takes CAPCO markings such as `(S//NF)` from the fields; /docs/reference/capco/ lists the supported markings with their attributes.',
  },
);

export const LabelHandlingPolicy = Type.Union(
  [Type.Literal('ignore'), Type.Literal('replace'), Type.Literal('drop')],
  {
    title: 'LabelHandlingPolicy',
    default: 'replace',
    description:
      'What happens to a record without a label in its fields: replace gives it replacementString, drop leaves it out, ignore stores it without a label, so that everyone who may read the dataset sees it. If a label cannot be parsed, replace and drop do the same, but ignore rejects the whole write.',
  },
);

export const SecurityLabelInfo = strictObject(
  {
    fields: Type.Optional(
      Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()], {
        description:
          'The fields that contain the label: an array, or a string with commas between them. If several fields contain a label, readers must satisfy all of them.',
      }),
    ),
    label: Type.Optional(
      nullable(Type.String({ description: 'The label for apply-label-to-all-records-parser.' })),
    ),
    labelHandlingPolicy: Type.Optional(nullable(LabelHandlingPolicy)),
    parserClassName: Type.Optional(nullable(LabelParserId)),
    replacementString: Type.Optional(
      nullable(Type.String({ description: 'The label for the policy replace, which requires it.' })),
    ),
  },
  {
    title: 'SecurityLabelInfo',
    description:
      'Decides how the records of a write get their security labels. parserClassName is required. A label names attributes: `SECRET`, `A&B` for both, `A|B` for either. Use parentheses to combine & and |, as in `A&(B|C)`, and no spaces. Put an attribute with characters other than letters, digits and `_` `-` `.` `:` `/` in double quotes. Letters a-z count as capitals. Attributes that the workspace does not have yet are created; nobody holds them at first.',
    examples: [
      { fields: ['access'], parserClassName: 'identity-parser', replacementString: 'UNREVIEWED' },
      { label: 'A&(B|C)', parserClassName: 'apply-label-to-all-records-parser', labelHandlingPolicy: 'drop' },
    ],
  },
);

const ColumnSecurityLabel = strictObject(
  {
    securityLabel: Type.Optional(
      nullable(
        Type.String({
          description:
            'A label expression such as `A&(B|C)`. In PATCH, an empty string or null removes the label.',
        }),
      ),
    ),
    label: Type.Optional(nullable(Type.String({ description: 'Another name for securityLabel.' }))),
  },
  { title: 'ColumnSecurityLabel' },
);

export const ColumnSecurityLabels = Type.Record(
  Type.String({ pattern: '^[\\s\\S]*$' }),
  ColumnSecurityLabel,
  {
    title: 'ColumnSecurityLabels',
    description:
      'Labels of columns by the path of the field in the schema. A label on `a` covers `a.b`; a label on `a.b` covers only this key of a, also in arrays of objects. For readers who do not satisfy the label, the column does not exist.',
    examples: [{ ssn: { securityLabel: 'PII' }, 'pay.note': { securityLabel: 'HR&(PII|AUDIT)' } }],
  },
);

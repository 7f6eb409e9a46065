import { Type } from 'typebox';
import { nullable, strictObject } from './core/fields.ts';

/** The ids of the label parsers. */
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
      'identity-parser reads a label expression from the fields; apply-label-to-all-records-parser gives every record the same label. simple-parser is deprecated: use identity-parser, which reads its labels too. capco-parser reads CAPCO markings such as `(S//NF)` from the fields; /docs/reference/capco/ lists the supported markings and the attributes that they require.',
  },
);

export const LabelHandlingPolicy = Type.Union(
  [Type.Literal('ignore'), Type.Literal('replace'), Type.Literal('drop')],
  {
    title: 'LabelHandlingPolicy',
    default: 'replace',
    description:
      'What becomes of a record without a label in its fields: replace gives it replacementString, drop leaves it out, ignore stores it without a label, for everyone who may read the dataset. With a label that does not parse, replace and drop do the same, and ignore refuses the whole write.',
  },
);

export const SecurityLabelInfo = strictObject(
  {
    fields: Type.Optional(
      Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()], {
        description:
          'The fields that hold the label: a list, or a text with commas between them. Where several hold one, readers must satisfy all.',
      }),
    ),
    label: Type.Optional(
      nullable(Type.String({ description: 'The label, for apply-label-to-all-records-parser.' })),
    ),
    labelHandlingPolicy: Type.Optional(nullable(LabelHandlingPolicy)),
    parserClassName: Type.Optional(nullable(LabelParserId)),
    replacementString: Type.Optional(
      nullable(Type.String({ description: 'The label of the policy replace, which needs it.' })),
    ),
  },
  {
    title: 'SecurityLabelInfo',
    description:
      'How the records of a write get their security labels. parserClassName is required. A label names attributes: `SECRET`, `A&B` for both, `A|B` for either, with parentheses where & and | meet, as in `A&(B|C)`, and without spaces. An attribute with other characters than letters, digits and `_` `-` `.` `:` `/` stands in double quotes. Letters a-z count as capitals. Attributes that the workspace does not have yet are made, held by nobody.',
    examples: [
      { fields: ['access'], parserClassName: 'identity-parser', replacementString: 'UNREVIEWED' },
      { label: 'A&(B|C)', parserClassName: 'apply-label-to-all-records-parser', labelHandlingPolicy: 'drop' },
    ],
  },
);

/** The label of one column. */
const ColumnSecurityLabel = strictObject(
  {
    securityLabel: Type.Optional(
      nullable(
        Type.String({
          description:
            'A label expression such as `A&(B|C)`. Empty or null takes the label away, in PATCH alone.',
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
      'Labels of columns by the path of the field as the schema names it: a label on `a` covers `a.b`, one on `a.b` only that key of a, also in lists of objects. For a reader whose attributes do not satisfy it the column does not exist.',
    examples: [{ ssn: { securityLabel: 'PII' }, 'pay.note': { securityLabel: 'HR&(PII|AUDIT)' } }],
  },
);

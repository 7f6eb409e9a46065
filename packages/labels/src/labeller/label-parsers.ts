/** The content of a label field: a label expression, one attribute, or a CAPCO marking. */
export type LabelFieldFormat = 'expression' | 'attribute' | 'marking';

/** One way to label the records of a write. */
interface LabelParser {
  /** The value of `parserClassName` in requests. */
  readonly id: string;
  /** The name in the API description. Requests may use it instead of the id. */
  readonly name: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** The format of the label fields. `all` reads no fields: one label applies to all records. */
  readonly reads: LabelFieldFormat | 'all';
}

/** All label parsers, for the API description and for the validation of requests. */
export const labelParsers: readonly LabelParser[] = [
  {
    id: 'identity-parser',
    name: 'identity',
    description: 'Reads a label expression from the fields, such as `A&(B|C)`.',
    deprecated: false,
    reads: 'expression',
  },
  {
    id: 'simple-parser',
    name: 'simple',
    description:
      'Reads one attribute from the fields. Deprecated: use identity-parser, which accepts these labels too.',
    deprecated: true,
    reads: 'attribute',
  },
  {
    id: 'capco-parser',
    name: 'capco',
    description:
      'Reads a CAPCO marking from the fields: a banner such as `TOP SECRET//SI//NOFORN` or a portion such as `(TS//SI//NF)`. The page /docs/reference/capco/ lists the supported markings and the attributes that they require. Any other text is an invalid label.',
    deprecated: false,
    reads: 'marking',
  },
  {
    id: 'apply-label-to-all-records-parser',
    name: 'apply-label-to-all-records',
    description: 'Gives every record the same label. Reads no fields.',
    deprecated: false,
    reads: 'all',
  },
];

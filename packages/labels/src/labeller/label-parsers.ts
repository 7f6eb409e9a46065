/** What a field holds: a label, one attribute, or a CAPCO mark. */
export type LabelFieldFormat = 'expression' | 'attribute' | 'mark';

/** One way to give records their labels, by the id that clients send and the name that the API description uses. */
interface LabelParser {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** What it reads from fields; `all` reads none and takes one label for all records. */
  readonly reads: LabelFieldFormat | 'all';
}

/** Every label parser that there is. */
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
      'Reads one attribute from the fields. Deprecated: use identity-parser, which reads such labels too.',
    deprecated: true,
    reads: 'attribute',
  },
  {
    id: 'capco-parser',
    name: 'capco',
    description:
      'Reads a CAPCO mark from the fields, of a banner such as `TOP SECRET//SI//NOFORN` or a portion such as `(TS//SI//NF)`. The marks that it knows, and the attributes that they ask for, are listed in /docs/reference/capco/; any other is unreadable.',
    deprecated: false,
    reads: 'mark',
  },
  {
    id: 'apply-label-to-all-records-parser',
    name: 'apply-label-to-all-records',
    description: 'Gives every record the same label, and reads no field.',
    deprecated: false,
    reads: 'all',
  },
];

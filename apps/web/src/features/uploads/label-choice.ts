import type { AccessControlLabel } from '@redoubt/contract';
import { labelProblem } from '../../parts/labels/label-problem.ts';

export type LabelMode = 'none' | 'one' | 'columns';
export type ParserId = 'identity-parser' | 'capco-parser';
export type Policy = 'replace' | 'drop' | 'ignore';

/** The person's choice of how the rows of an import get their labels. */
export interface LabelChoice {
  readonly mode: LabelMode;
  /** The label of all rows, for the mode `one`. */
  readonly label: string;
  readonly fields: readonly string[];
  readonly parser: ParserId;
  readonly policy: Policy;
  /** The label of rows that have no valid label, for the policy `replace`. */
  readonly replacement: string;
}

export const noLabels: LabelChoice = {
  mode: 'none',
  label: '',
  fields: [],
  parser: 'identity-parser',
  policy: 'drop',
  replacement: '',
};

/** Returns what is missing or wrong in the choice, or undefined if it is complete. */
export const choiceProblem = ({
  mode,
  label,
  fields,
  policy,
  replacement,
}: LabelChoice): string | undefined => {
  if (mode === 'one') return label === '' ? 'Type the label of all rows.' : labelProblem(label);
  if (mode === 'none') return undefined;
  if (fields.length === 0) return 'Choose what holds the label.';
  if (policy !== 'replace') return undefined;
  return replacement === '' ? 'Type the label of rows without one.' : labelProblem(replacement);
};

/** Converts the choice to the form of the API; undefined if the rows get no labels. */
export const toAccessControlLabel = (choice: LabelChoice): AccessControlLabel | undefined => {
  const { mode, label, fields, parser, policy, replacement } = choice;
  if (mode === 'none') return undefined;
  if (mode === 'one') {
    return {
      securityLabeled: true,
      securityLabelInfo: { parserClassName: 'apply-label-to-all-records-parser', label },
    };
  }
  return {
    securityLabeled: true,
    securityLabelInfo: {
      parserClassName: parser,
      fields: [...fields],
      labelHandlingPolicy: policy,
      ...(policy === 'replace' && { replacementString: replacement }),
    },
  };
};

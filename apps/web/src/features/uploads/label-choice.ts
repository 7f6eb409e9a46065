import type { AccessControlLabel } from '@redoubt/contract';
import { LabelSyntaxError, parseLabel } from '@redoubt/labels';

export type LabelMode = 'none' | 'one' | 'columns';
export type ParserId = 'identity-parser' | 'capco-parser';
export type Policy = 'replace' | 'drop' | 'ignore';

/** How the rows of an import get their labels, as the person chose it. */
export interface LabelChoice {
  readonly mode: LabelMode;
  /** The label of all rows, for `one`. */
  readonly label: string;
  readonly fields: readonly string[];
  readonly parser: ParserId;
  readonly policy: Policy;
  /** The label of rows without a valid one, for the policy `replace`. */
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

/** Why a label cannot be parsed; undefined if it can. */
export const labelProblem = (label: string): string | undefined => {
  try {
    parseLabel(label);
    return undefined;
  } catch (error) {
    if (error instanceof LabelSyntaxError) {
      return `At character ${String(error.position + 1)}: expected ${error.expected}.`;
    }
    throw error;
  }
};

/** What is missing in the choice; undefined if rows can be labelled. */
export const choiceProblem = ({
  mode,
  label,
  fields,
  policy,
  replacement,
}: LabelChoice): string | undefined => {
  if (mode === 'one') return label === '' ? 'Type the label of all rows.' : labelProblem(label);
  if (mode === 'none') return undefined;
  if (fields.length === 0) return 'Choose a column that holds the label.';
  if (policy !== 'replace') return undefined;
  return replacement === '' ? 'Type the label of rows without one.' : labelProblem(replacement);
};

/** The choice as the API takes it; undefined for no labels. */
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

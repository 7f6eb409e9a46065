import type { ReactElement } from 'react';
import { formatValue } from './format-value.ts';
import type { TextRange } from './grid-rows.ts';
import { MarkedText } from './MarkedText.tsx';

interface CellTextProps {
  value: unknown;
  /** The ranges of its text that a search matched. */
  marks?: readonly TextRange[] | undefined;
}

/** A value in a cell: null, missing, empty text, 0 and false all look different. */
export const CellText = ({ value, marks }: CellTextProps): ReactElement => {
  if (value === undefined) {
    return (
      <span className="cell-missing" role="img" aria-label="no value">
        –
      </span>
    );
  }
  if (value === null) return <em className="cell-null">null</em>;
  if (value === '') {
    return (
      <code className="cell-empty" role="img" aria-label="empty text">
        ""
      </code>
    );
  }
  const text = formatValue(value);
  return marks === undefined ? <bdi>{text}</bdi> : <MarkedText text={text} ranges={marks} />;
};

/** The value of a cell in words, for screen readers and messages. */
export const describeCell = (value: unknown): string => {
  if (value === undefined) return 'no value';
  if (value === null) return 'null';
  return value === '' ? 'empty text' : formatValue(value);
};

import type { ReactElement, ReactNode } from 'react';
import type { TextRange } from './grid-rows.ts';

interface MarkedTextProps {
  text: string;
  /** In order, and without overlaps. */
  ranges: readonly TextRange[];
}

/** A text in which the ranges that a search matched are highlighted. */
export const MarkedText = ({ text, ranges }: MarkedTextProps): ReactElement => {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { from, to } of ranges) {
    parts.push(text.slice(end, from), <mark key={from}>{text.slice(from, to)}</mark>);
    end = to;
  }
  return (
    <bdi>
      {parts}
      {text.slice(end)}
    </bdi>
  );
};

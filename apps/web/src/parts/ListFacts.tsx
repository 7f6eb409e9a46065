import type { ReactElement } from 'react';
import { shellText } from '../text/shell.ts';
import { formatClock } from './format-time.ts';

/** What a list holds, and when it was loaded. */
export const ListFacts = ({ text, loadedAt }: { text: string; loadedAt: number }): ReactElement => (
  <>
    {text} · {shellText.asOf(formatClock(loadedAt))}
  </>
);

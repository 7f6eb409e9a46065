import type { ReactNode } from 'react';

/** A sentence of the contract: what stands between backticks is code. */
export function InlineText({ text }: { text: string }): ReactNode {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={`${index} ${part}`}>{part}</code> : part));
}

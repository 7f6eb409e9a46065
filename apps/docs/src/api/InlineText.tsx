import type { ReactNode } from 'react';

/** A sentence of the contract. Text between backticks is shown as code. */
export function InlineText({ text }: { text: string }): ReactNode {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={`${index} ${part}`}>{part}</code> : part));
}

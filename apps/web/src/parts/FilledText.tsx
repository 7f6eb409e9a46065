import { Fragment, type ReactElement, type ReactNode } from 'react';

interface FilledTextProps {
  /** A sentence with names in braces, such as `You are signed in as {email}.` */
  text: string;
  /** What stands in place of each name. */
  values: Readonly<Record<string, ReactNode>>;
}

/** A sentence with elements in it. The sentence is one text, so that it can be translated. */
export const FilledText = ({ text, values }: FilledTextProps): ReactElement => (
  <>
    {text.split(/\{(\w+)\}/).map((part, at) => (
      <Fragment key={at}>{at % 2 === 1 ? values[part] : part}</Fragment>
    ))}
  </>
);

import Original from '@theme-original/MDXComponents/Code';
import CodeInline from '@theme/CodeInline';
import { Children, type ComponentProps, type ReactNode } from 'react';
import type { QueryBlock } from './query-code.ts';
import { QueryTabs } from './query-tabs.tsx';

type Props = ComponentProps<'code'> & { readonly metastring?: string };

/** A code block of a page. Queries are shown in tabs, except those on other datasets, which need more than their text. */
export function CodeOrTabs(props: Props): ReactNode {
  const { className = '', children, metastring = '' } = props;
  // Long names in tables contain `<wbr>` elements, which the theme would treat as a block.
  const isInline = Children.toArray(children).every(
    (part) => typeof part !== 'string' || !part.includes('\n'),
  );
  if (className === '' && isInline) return <CodeInline {...props} />;
  const language = /\blanguage-(sql|lucene)\b/.exec(className)?.[1] as QueryBlock['language'] | undefined;
  if (language === undefined || typeof children !== 'string' || metastring.includes('dataset=')) {
    return <Original {...props} />;
  }
  const token = metastring.includes('as=reader') ? 'READER' : 'TOKEN';
  return <QueryTabs block={{ language, text: children.trimEnd(), token }} />;
}

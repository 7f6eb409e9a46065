import CodeBlock from '@theme/CodeBlock';
import TabItem from '@theme/TabItem';
import Tabs from '@theme/Tabs';
import type { ReactNode } from 'react';
import { asCurl, asPython, type QueryBlock } from './query-code.ts';

const names = { sql: 'SQL', lucene: 'Lucene' } as const;

/** Tabs with a query: itself, as a curl command and in Python. The chosen tab applies to all pages. */
export const QueryTabs = ({ block }: { readonly block: QueryBlock }): ReactNode => (
  <div className="query-tabs" data-search="no">
    <Tabs groupId="query" lazy>
      <TabItem value="query" label={names[block.language]}>
        <CodeBlock language={block.language}>{block.text}</CodeBlock>
      </TabItem>
      <TabItem value="curl" label="curl">
        <CodeBlock language="bash">{asCurl(block)}</CodeBlock>
      </TabItem>
      <TabItem value="python" label="Python">
        <CodeBlock language="python">{asPython(block)}</CodeBlock>
      </TabItem>
    </Tabs>
  </div>
);

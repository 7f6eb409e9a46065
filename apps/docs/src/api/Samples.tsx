import CodeBlock from '@theme/CodeBlock';
import TabItem from '@theme/TabItem';
import Tabs from '@theme/Tabs';
import type { ReactNode } from 'react';
import styles from './api.module.css';
import { languages, pathOf, sampleOf, sampleCall } from './samples/index.ts';
import type { ApiOperation, RecordedCall } from './types.ts';

/** The call in each language. The chosen language applies to all pages. */
export function Samples({ operation, host }: { operation: ApiOperation; host: string }): ReactNode {
  const call = sampleCall(operation, host, operation.recording?.success);
  return (
    <Tabs groupId="language" lazy>
      {languages.map(({ id, label, highlight }) => (
        <TabItem key={id} value={id} label={label}>
          <CodeBlock language={highlight}>{sampleOf(id, call)}</CodeBlock>
        </TabItem>
      ))}
    </Tabs>
  );
}

const bodyText = ({ answer: { body, mediaType, location } }: RecordedCall): string => {
  if (location !== undefined) return `Location: ${location}`;
  if (body === undefined) return `(${mediaType}, no text)`;
  return typeof body === 'string' ? body : JSON.stringify(body, undefined, 2);
};

function Exchange({
  title,
  operation,
  recorded,
}: {
  title: string;
  operation: ApiOperation;
  recorded: RecordedCall;
}): ReactNode {
  const { params, query, body, answer } = recorded;
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  const request = `${operation.method} ${pathOf({ path: operation.path, params })}${search === '' ? '' : `?${search}`}`;
  const isJson = answer.mediaType.includes('json');
  return (
    <>
      <p className={styles.exchange}>
        {title} <span className={styles.type}>{answer.status}</span>
      </p>
      {/* The request of the success stands in the samples already. */}
      {answer.status >= 400 && (
        <CodeBlock language="json">
          {body === undefined ? request : `${request}\n\n${JSON.stringify(body, undefined, 2)}`}
        </CodeBlock>
      )}
      <CodeBlock language={isJson ? 'json' : 'text'}>{bodyText(recorded)}</CodeBlock>
    </>
  );
}

/** The response of a real server to the request of the samples, and an error if one is recorded. */
export function RecordedAnswers({ operation }: { operation: ApiOperation }): ReactNode {
  const { recording } = operation;
  if (recording === undefined) return null;
  return (
    <>
      <Exchange title="Answer" operation={operation} recorded={recording.success} />
      {recording.error !== undefined && (
        <Exchange title="An error" operation={operation} recorded={recording.error} />
      )}
    </>
  );
}

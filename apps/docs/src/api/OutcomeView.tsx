import CodeBlock from '@theme/CodeBlock';
import type { ReactNode } from 'react';
import styles from './api.module.css';
import { answerLimit, type Outcome } from './send-call.ts';

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
};

/** Formats JSON, unless parsing could change its numbers. */
const shownText = (text: string): string => (/\d{16}|\d[eE.]\d{15}/.test(text) ? text : pretty(text));

const inTime = (milliseconds: number): string => `${Math.round(milliseconds)} ms`;

/** The outcome of a tried call. */
export function OutcomeView({ outcome }: { outcome: Outcome }): ReactNode {
  if (outcome.kind === 'failed') {
    return (
      <p className={styles.fault}>
        No response: {outcome.reason} The server may be unreachable, reject pages of this origin (its setting{' '}
        <code>CORS_ORIGINS</code>), or be a plain http address on a page of https.
      </p>
    );
  }
  if (outcome.kind === 'redirect') {
    return (
      <p className={styles.hint}>
        The server answered with a redirect after {inTime(outcome.milliseconds)}. It was not followed, so that
        no credential goes on to another address.
      </p>
    );
  }
  const { status, milliseconds, headers, mediaType, text, bytes, isCut } = outcome;
  return (
    <>
      <p className={status < 400 ? styles.success : styles.fault}>
        <strong>{status}</strong> after {inTime(milliseconds)}, {bytes} bytes
        {isCut && `: the first ${answerLimit / 1024} KiB of a longer answer`}
      </p>
      <dl className={styles.headers}>
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {text !== '' && (
        <CodeBlock language={mediaType.includes('json') ? 'json' : 'text'}>
          {isCut ? text : shownText(text)}
        </CodeBlock>
      )}
    </>
  );
}

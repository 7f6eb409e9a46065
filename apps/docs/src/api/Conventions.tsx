import Link from '@docusaurus/Link';
import CodeBlock from '@theme/CodeBlock';
import Heading from '@theme/Heading';
import type { ReactNode } from 'react';
import styles from './api.module.css';

/** The conventions of all calls. */
export function Conventions({ origin }: { origin: string }): ReactNode {
  return (
    <section className={styles.conventions}>
      <Heading as="h2" id="requests">
        Requests
      </Heading>
      <p>
        Paths begin at the address of the server. Bodies and answers are JSON unless a call says otherwise. A
        parameter or a field that a call does not know is rejected, never ignored. The same description for
        programs, in OpenAPI 3.1, is at <code>{origin}/openapi.json</code>.
      </p>
      <Heading as="h2" id="credentials">
        Credentials
      </Heading>
      <p>
        A person signs in by <Link to="/api/authentication/#authenticate">POST /authentication</Link> and
        sends the <code>accessToken</code> of the answer as <code>Authorization: Bearer …</code>. A program
        sends an <Link to="/api/api-keys/">API key</Link> as <code>X-API-Key</code>. The samples take the
        token from the variable <code>TOKEN</code> of the shell. What belongs to another workspace, or is
        hidden from the caller, does not exist: 404.
      </p>
      <Heading as="h2" id="lists">
        Lists
      </Heading>
      <p>
        A list answers <code>total</code>, <code>limit</code>, <code>skip</code> and <code>data</code>.{' '}
        <code>$limit</code> (10 where absent, -1 for all) and <code>$skip</code> choose the page,{' '}
        <code>$sort[name]=1</code> (or <code>-1</code>) the order. A field as a parameter filters:{' '}
        <code>name=Beacons</code>, or with a comparison <code>name[$ne]=Beacons</code>. The comparisons are{' '}
        <code>$ne</code>, <code>$lt</code>, <code>$lte</code>, <code>$gt</code>, <code>$gte</code>,{' '}
        <code>$in</code> and <code>$nin</code>. Filters together all have to hold; of groups under{' '}
        <code>$or</code> one is enough: <code>$or[0][name]=a&amp;$or[1][name]=b</code>.
      </p>
      <Heading as="h2" id="errors">
        Errors
      </Heading>
      <p>
        Every error has a status of 400 or above and the same form;{' '}
        <Link to="/docs/handling-error-codes/">Error codes</Link> says what to do about each name.
      </p>
      <CodeBlock language="json">
        {JSON.stringify(
          {
            name: 'NotFoundError',
            message: 'There is no dataset "navaids" for you. Check the id.',
            code: 404,
          },
          undefined,
          2,
        )}
      </CodeBlock>
    </section>
  );
}

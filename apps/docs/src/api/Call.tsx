import useBrokenLinks from '@docusaurus/useBrokenLinks';
import Heading from '@theme/Heading';
import type { ReactNode } from 'react';
import styles from './api.module.css';
import type { Connection, ConnectionState } from './connection.ts';
import { InlineText } from './InlineText.tsx';
import { MethodChip } from './MethodChip.tsx';
import { Filters, Parameters } from './Parameters.tsx';
import { RecordedAnswers, Samples } from './Samples.tsx';
import { SchemaFields } from './SchemaFields.tsx';
import { TryCall } from './TryCall.tsx';
import type { ApiError, ApiOperation, CredentialRule, Schemas } from './types.ts';

const credentialTexts: Record<CredentialRule, string> = {
  none: 'None. A credential that is sent is ignored.',
  optional: 'None needed.',
  any: 'A bearer token or an API key.',
  bearer: 'The bearer token of a person. API keys and tokens of applications are rejected.',
};

function Errors({ errors }: { errors: readonly ApiError[] }): ReactNode {
  if (errors.length === 0) return null;
  return (
    <details className={styles.fold}>
      <summary>Errors ({new Set(errors.map(({ name }) => name)).size})</summary>
      <ul className={styles.fields}>
        {errors.map(({ status, name, meaning }) => (
          <li key={`${status} ${name}`} className={styles.field}>
            <div className={styles.facts}>
              <span className={styles.status}>{status}</span>
              <code className={styles.fieldName}>{name}</code>
            </div>
            <p className={styles.fieldText}>{`${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface CallProps {
  operation: ApiOperation;
  schemas: Schemas;
  state: ConnectionState;
  connection?: Connection | undefined;
}

/** One call: description, access rule, parameters and response, with samples beside it. */
export function Call({ operation, schemas, state, connection }: CallProps): ReactNode {
  const { id, method, path, aliases, summary, description, whoMay, credential, parameters, filters } =
    operation;
  const { body, answer, otherMediaTypes, errors } = operation;
  // The link checker knows calls like headings.
  useBrokenLinks().collectAnchor(id);
  return (
    <section className={styles.call} aria-labelledby={id}>
      <div>
        <Heading as="h2" id={id}>
          {summary}
        </Heading>
        <p className={styles.address}>
          <MethodChip method={method} /> <code>{path}</code>
        </p>
        <p>
          <InlineText text={description} />
        </p>
        {aliases.length > 0 && (
          <p>
            Also as{' '}
            {aliases.map((alias) => (
              <code key={alias} className={styles.alias}>
                {alias}
              </code>
            ))}
          </p>
        )}
        <dl className={styles.rules}>
          <dt>Who may</dt>
          <dd>{whoMay}</dd>
          <dt>Credential</dt>
          <dd>{credentialTexts[credential]}</dd>
        </dl>
        <Parameters title="Path" list={parameters.filter((one) => one.in === 'path')} />
        <Parameters title="Query string" list={parameters.filter((one) => one.in === 'query')} />
        <Filters filters={filters} />
        {body !== undefined && (
          <>
            <h3>
              Body <span className={styles.type}>{body.mediaType}</span>
            </h3>
            <SchemaFields schema={body.schema} schemas={schemas} />
          </>
        )}
        <h3>
          Answer{' '}
          <span className={styles.type}>
            {answer.status} {answer.mediaType}
          </span>
        </h3>
        <p>
          <InlineText text={answer.description} />
        </p>
        <details className={styles.fold}>
          <summary>Fields of the answer</summary>
          <SchemaFields schema={answer.schema} schemas={schemas} />
        </details>
        {Object.entries(otherMediaTypes).map(([mediaType, about]) => (
          <p key={mediaType}>
            With <code>Accept: {mediaType}</code>: <InlineText text={about} />
          </p>
        ))}
        <Errors errors={errors} />
      </div>
      <div className={styles.samples}>
        <Samples operation={operation} host={state.origin} />
        {connection !== undefined && (
          <TryCall operation={operation} schemas={schemas} state={state} connection={connection} />
        )}
        <RecordedAnswers operation={operation} />
      </div>
    </section>
  );
}

import Link from '@docusaurus/Link';
import type { ReactNode } from 'react';
import styles from './api.module.css';
import { InlineText } from './InlineText.tsx';
import { ValueFacts } from './SchemaFields.tsx';
import type { ApiFilter, ApiParameter } from './types.ts';

/** The parameters of a call in its path and its query string. */
export function Parameters({ title, list }: { title: string; list: readonly ApiParameter[] }): ReactNode {
  if (list.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul className={styles.fields}>
        {list.map(({ name, required, description, schema }) => (
          <li key={name} className={styles.field}>
            <div className={styles.facts}>
              <code className={styles.fieldName}>{name}</code>
              <ValueFacts schema={schema} isRequired={required} />
            </div>
            {description !== '' && (
              <p className={styles.fieldText}>
                <InlineText text={description} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The fields by which a list is filtered and sorted. */
export function Filters({ filters }: { filters: readonly ApiFilter[] }): ReactNode {
  if (filters.length === 0) return null;
  return (
    <details className={styles.fold}>
      <summary>Filters and sort fields ({filters.length})</summary>
      <p className={styles.fieldText}>
        Each is a parameter, alone or with a comparison: see <Link to="/api/#lists">Lists</Link>.
      </p>
      <ul className={styles.fields}>
        {filters.map(({ name, kind, values = [] }) => (
          <li key={name} className={styles.field}>
            <div className={styles.facts}>
              <code className={styles.fieldName}>{name}</code>
              <span className={styles.type}>{kind}</span>
              {values.length > 0 && (
                <span className={styles.fact}>
                  one of{' '}
                  {values.map((value) => (
                    <code key={value}>{value}</code>
                  ))}
                </span>
              )}
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}

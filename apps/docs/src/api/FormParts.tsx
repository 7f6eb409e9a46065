import type { ReactNode } from 'react';
import styles from './api.module.css';
import type { FormPart, Schema } from './types.ts';

/** Whether the part of a form with this schema is a list of files. */
const takesFiles = ({ type, items }: Schema): boolean =>
  type === 'array' && typeof items === 'object' && items.format === 'binary';

/** The inputs for the parts of a form with files. Their names begin with `part `. */
export function FormParts({
  id,
  schema,
  example,
}: {
  id: string;
  schema: Schema;
  example: readonly FormPart[];
}): ReactNode {
  return Object.entries(schema.properties ?? {}).map(([name, part]) => {
    const recorded = example.find((one) => one.name === name);
    // A recorded dataset is not one of the reader's.
    const text = recorded !== undefined && 'text' in recorded && name !== 'datasetId' ? recorded.text : '';
    return (
      <div key={name}>
        <label className={styles.label} htmlFor={`${id} part ${name}`}>
          <code>{name}</code> {schema.required?.includes(name) === true ? '' : '(optional)'}
        </label>
        {takesFiles(part) ? (
          <input
            id={`${id} part ${name}`}
            className={styles.input}
            name={`part ${name}`}
            type="file"
            multiple
          />
        ) : (
          <input
            id={`${id} part ${name}`}
            className={styles.input}
            name={`part ${name}`}
            type="text"
            autoComplete="off"
            spellCheck={false}
            defaultValue={text}
          />
        )}
      </div>
    );
  });
}

import type { ReactNode } from 'react';
import styles from './api.module.css';
import { resolve } from './check-body.ts';
import { InlineText } from './InlineText.tsx';
import { choices, constraints, descriptionOf, typeText } from './schema-text.ts';
import type { Schema, Schemas } from './types.ts';

/** Nested objects are collapsible. Below this depth only their names are shown, which also ends recursive schemas. */
const deepest = 5;

/** The object schemas of a value: its own, that of its entries, or those of its variants. */
const objectsIn = (given: Schema, schemas: Schemas): Schema[] => {
  const schema = resolve(given, schemas);
  if (schema.properties !== undefined) return [schema];
  const inner = [
    ...(typeof schema.items === 'object' ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ...(schema.anyOf ?? []),
  ];
  return inner.flatMap((one) => objectsIn(one, schemas));
};

interface FieldProps {
  name: string;
  schema: Schema;
  schemas: Schemas;
  isRequired: boolean;
  level: number;
}

/** The type of one value, whether it is required, and its constraints. */
export function ValueFacts({ schema, isRequired }: { schema: Schema; isRequired: boolean }): ReactNode {
  const bounds = constraints(schema);
  const allowed = choices(schema);
  return (
    <>
      <span className={styles.type}>{typeText(schema)}</span>
      {isRequired && <span className={styles.required}>required</span>}
      {schema.default !== undefined && (
        <span className={styles.fact}>
          default <code>{JSON.stringify(schema.default)}</code>
        </span>
      )}
      {bounds.map((bound) => (
        <span key={bound} className={styles.fact}>
          {bound}
        </span>
      ))}
      {allowed.length > 0 && (
        <span className={styles.fact}>
          one of{' '}
          {allowed.map((value) => (
            <code key={value}>{value}</code>
          ))}
        </span>
      )}
    </>
  );
}

function Field({ name, schema, schemas, isRequired, level }: FieldProps): ReactNode {
  const objects = level < deepest ? objectsIn(schema, schemas) : [];
  const description = descriptionOf(schema) || descriptionOf(resolve(schema, schemas));
  return (
    <li className={styles.field}>
      <div className={styles.facts}>
        <code className={styles.fieldName}>{name}</code>
        <ValueFacts schema={schema} isRequired={isRequired} />
      </div>
      {description !== '' && (
        <p className={styles.fieldText}>
          <InlineText text={description} />
        </p>
      )}
      {objects.map((object, index) => (
        <details key={object.title ?? index} className={styles.fold}>
          <summary>
            Fields of {object.title ?? name}
            {objects.length > 1 ? `, variant ${index + 1} of ${objects.length}` : ''}
          </summary>
          <Fields schema={object} schemas={schemas} level={level + 1} />
        </details>
      ))}
    </li>
  );
}

function Fields({ schema, schemas, level }: { schema: Schema; schemas: Schemas; level: number }): ReactNode {
  const required = new Set(schema.required);
  return (
    <ul className={styles.fields}>
      {Object.entries(schema.properties ?? {}).map(([name, property]) => (
        <Field
          key={name}
          name={name}
          schema={property}
          schemas={schemas}
          isRequired={required.has(name)}
          level={level}
        />
      ))}
    </ul>
  );
}

/** A schema as a list of its fields. Nested objects are collapsible. */
export function SchemaFields({ schema, schemas }: { schema: Schema; schemas: Schemas }): ReactNode {
  const resolved = resolve(schema, schemas);
  const objects = objectsIn(schema, schemas);
  const isPlainObject = objects.length === 1 && objects[0] === resolved;
  return (
    <>
      {!isPlainObject && (
        <p className={styles.facts}>
          <ValueFacts schema={resolved} isRequired={false} />
        </p>
      )}
      {objects.map((object, index) => (
        <div key={object.title ?? index}>
          {!isPlainObject && <p className={styles.variant}>{object.title ?? `Variant ${index + 1}`}</p>}
          <Fields schema={object} schemas={schemas} level={0} />
        </div>
      ))}
    </>
  );
}

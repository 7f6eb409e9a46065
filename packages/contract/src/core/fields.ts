import { Type, type TObject, type TProperties, type TSchema } from 'typebox';

/**
 * An object schema that rejects unknown keys. A title in PascalCase makes it a named schema of the API reference; two
 * different schemas must not share a title.
 *
 * @example
 * const Tag = strictObject({ id: Uuid, name: Name }, { title: 'Tag' });
 */
export const strictObject = <P extends TProperties>(
  properties: P,
  options: { title?: string; description?: string; examples?: unknown[] } = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Uuid = Type.String({
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  maxLength: 36,
  description: 'A UUID.',
});

/** An id in a request. It accepts any string, so that a malformed id gets the same 404 as an unknown one. */
export const idSchema = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
export const IdParam = Type.String({ minLength: 1, maxLength: 200 });
/** The workspace of a new object; it must be the workspace of the session. */
export const OwnWorkspaceId = idSchema('The id of the workspace of the session.');

/** A short name that people read. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: '1 to 200 characters, not only spaces.',
});
export const Description = Type.String({ maxLength: 4000 });
export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@]+@[^\\s@]+$',
  description: 'An email address.',
});
/** Text of 8 to 200 characters. */
export const Password = Type.String({ minLength: 8, maxLength: 200 });
export const Timestamp = Type.String({ format: 'date-time' });

/** An optional boolean in the query string, false by default: `true`, `True`, `FALSE` and so on. */
export const BooleanParameter = (description: string) =>
  Type.Optional(Type.Boolean({ default: false, description }));

/** The parameters of a path that contains one id, `{id}`. */
export const idParams = (description: string) =>
  strictObject({ id: Type.String({ minLength: 1, maxLength: 200, description }) });

/** The schema of a PATCH body: every property is optional, and unknown keys are rejected. */
export const toPatchSchema = <P extends TProperties>(schema: TObject<P>) =>
  Type.Partial(schema, { additionalProperties: false });

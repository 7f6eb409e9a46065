/** A JSON schema of OpenAPI 3.1, limited to what the contract uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  title?: string;
  description?: string;
  format?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Readonly<Record<string, Schema>>;
  items?: boolean | Schema;
  prefixItems?: readonly Schema[];
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  pattern?: string;
}

/** The schemas that a section refers to, by name. */
export type Schemas = Readonly<Record<string, Schema>>;

export interface ApiParameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema: Schema;
}

/** A field by which a list can be filtered and sorted. */
export interface ApiFilter {
  name: string;
  kind: string;
  values?: readonly string[];
}

export interface ApiError {
  status: number;
  name: string;
  meaning: string;
}

/**
 * - `none`: the call needs no credential, and ignores one
 * - `optional`: the call needs no credential, and accepts one
 * - `any`: a bearer token or an API key
 * - `bearer`: a person's own bearer token
 */
export type CredentialRule = 'none' | 'optional' | 'any' | 'bearer';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A part of a form with files: a text, or the name of a file. */
export type FormPart = { name: string; text: string } | { name: string; file: string };

/** The values of the path's parameters, and the pairs of the query string in their order. */
export interface CallInput {
  params: Readonly<Record<string, string>>;
  query: readonly (readonly [name: string, value: string])[];
  /**
   * A value that is sent as JSON. For a call that takes something else: the text of the form, the name of a file, or the
   * parts of a form with files.
   */
  body?: unknown;
}

/** A request and the response of a real server. */
export interface RecordedCall extends CallInput {
  credential: 'bearer' | 'api-key' | 'none';
  answer: {
    status: number;
    mediaType: string;
    /** The target of a redirect. */
    location?: string;
    /** A JSON value or text, according to the media type. Absent for other types. */
    body?: unknown;
  };
}

/** The recordings of an operation: a success, and an error if one is instructive. */
export interface Recording {
  success: RecordedCall;
  error?: RecordedCall;
}

export interface ApiOperation {
  id: string;
  method: Method;
  path: string;
  /** Alternative paths. */
  aliases: readonly string[];
  summary: string;
  description: string;
  whoMay: string;
  credential: CredentialRule;
  /** Whether the call changes data. The reader must then confirm it before it is sent. */
  changes: boolean;
  parameters: readonly ApiParameter[];
  filters: readonly ApiFilter[];
  body?: { mediaType: string; schema: Schema };
  answer: { status: number; description: string; mediaType: string; schema: Schema };
  /** Other media types of the response, with a description of each. */
  otherMediaTypes: Readonly<Record<string, string>>;
  errors: readonly ApiError[];
  recording?: Recording;
}

/** A page of the reference: the calls of one tag. */
export interface ApiSection {
  name: string;
  slug: string;
  description: string;
  operations: readonly ApiOperation[];
  schemas: Schemas;
}

/** The summary of every call that each page of the reference contains. */
export interface ApiIndexEntry {
  id: string;
  method: Method;
  path: string;
  summary: string;
}

export interface ApiIndexSection {
  name: string;
  slug: string;
  description: string;
  calls: readonly ApiIndexEntry[];
}

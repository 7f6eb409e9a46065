/** A JSON schema as OpenAPI 3.1 writes it, as far as the contract uses it. */
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
 * - `none`: it does without, and looks at none
 * - `optional`: it does without
 * - `any`: a bearer token or an API key
 * - `bearer`: a person's own bearer token
 */
export type CredentialRule = 'none' | 'optional' | 'any' | 'bearer';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What stands in braces of a path, and in the query string in its order. */
export interface CallInput {
  params: Readonly<Record<string, string>>;
  query: readonly (readonly [name: string, value: string])[];
  /** Sent as JSON, unless the call takes something else: then it is the text of the form, or the name of a file. */
  body?: unknown;
}

/** A request and its answer, as a real server gave it. */
export interface RecordedCall extends CallInput {
  credential: 'bearer' | 'api-key' | 'none';
  answer: {
    status: number;
    mediaType: string;
    /** Where it sends to, on redirects. */
    location?: string;
    /** JSON where the media type says so, otherwise text; absent where it is neither. */
    body?: unknown;
  };
}

/** What is recorded of an operation: its success, and an error where one tells something. */
export interface Recording {
  success: RecordedCall;
  error?: RecordedCall;
}

export interface ApiOperation {
  id: string;
  method: Method;
  path: string;
  /** Other spellings of the path. */
  aliases: readonly string[];
  summary: string;
  description: string;
  whoMay: string;
  credential: CredentialRule;
  /** It changes something: whoever tries it is asked first. */
  changes: boolean;
  parameters: readonly ApiParameter[];
  filters: readonly ApiFilter[];
  body?: { mediaType: string; schema: Schema };
  answer: { status: number; description: string; mediaType: string; schema: Schema };
  /** Further media types of the answer, with what each holds. */
  otherMediaTypes: Readonly<Record<string, string>>;
  errors: readonly ApiError[];
  recording?: Recording;
}

/** One page of the reference: the calls of a tag. */
export interface ApiSection {
  name: string;
  slug: string;
  description: string;
  operations: readonly ApiOperation[];
  schemas: Schemas;
}

/** What is known of every call on each page of the reference. */
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

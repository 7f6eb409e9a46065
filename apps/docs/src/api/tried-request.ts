import { readBody, type BodyProblem } from './check-body.ts';
import { addressOf } from './samples/index.ts';
import type { TriedRequest } from './send-call.ts';
import type { ApiOperation, Schema, Schemas } from './types.ts';

/** The input of the form of a call. */
export interface TypedCall {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** `name=value` pairs as in a query string, for filters and sort orders. */
  moreQuery: string;
  bodyText: string;
  file?: Blob | undefined;
  /** The parts of a form with files. Empty texts and files are not sent. */
  parts?: readonly (readonly [name: string, value: string | File])[];
}

const parameterProblems = ({ parameters }: ApiOperation, { params, query }: TypedCall): BodyProblem[] =>
  parameters.flatMap(({ name, in: place, required }): BodyProblem[] => {
    const value = (place === 'path' ? params : query)[name] ?? '';
    if (value === '') return required ? [{ at: name, problem: 'is missing' }] : [];
    // Browsers resolve such segments to another path.
    return place === 'path' && /^\.\.?$/.test(value)
      ? [{ at: name, problem: 'must not be . or .. in a path' }]
      : [];
  });

const isFilled = (value: string | File): boolean =>
  typeof value === 'string' ? value !== '' : value.size > 0 || value.name !== '';

const readParts = ({ required = [] }: Schema, typed: TypedCall['parts'] = []): FormData | BodyProblem[] => {
  const form = new FormData();
  // Texts first: the server checks them before it receives files.
  const filled = typed.filter(([, value]) => isFilled(value));
  for (const [name, value] of filled) if (typeof value === 'string') form.append(name, value);
  for (const [name, value] of filled) if (typeof value !== 'string') form.append(name, value);
  const missing = required.filter((name) => !form.has(name));
  return missing.length === 0 ? form : missing.map((at) => ({ at, problem: 'is missing' }));
};

/** The request from the input, or all of its problems. */
export const triedRequest = (
  operation: ApiOperation,
  schemas: Schemas,
  host: string,
  typed: TypedCall,
): { request: TriedRequest } | { problems: readonly BodyProblem[] } => {
  const { method, path, body, answer } = operation;
  const problems = parameterProblems(operation, typed);
  const isJson = body?.mediaType.startsWith('application/json') === true;
  const reading = body !== undefined && isJson ? readBody(typed.bodyText, body.schema, schemas) : undefined;
  if (reading !== undefined && 'problems' in reading) problems.push(...reading.problems);
  if (body?.mediaType === 'image/*' && typed.file === undefined) {
    problems.push({ at: 'body', problem: 'is missing: choose a file' });
  }
  const form = body?.mediaType === 'multipart/form-data' ? readParts(body.schema, typed.parts) : undefined;
  if (Array.isArray(form)) problems.push(...form);
  if (problems.length > 0) return { problems };
  const query = [
    ...Object.entries(typed.query).filter(([, value]) => value !== ''),
    ...new URLSearchParams(typed.moreQuery.replace(/^\?/, '')),
  ];
  return {
    request: {
      method,
      address: addressOf({ host, path, params: typed.params, query }),
      accept: answer.mediaType,
      ...(form instanceof FormData
        ? // The browser adds the media type, which names the boundary of the parts.
          { body: form }
        : body === undefined
          ? {}
          : {
              bodyType: typed.file === undefined ? body.mediaType : typed.file.type,
              body: typed.file ?? typed.bodyText,
            }),
    },
  };
};

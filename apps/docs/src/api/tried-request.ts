import { readBody, type BodyProblem } from './check-body.ts';
import { addressOf } from './samples/index.ts';
import type { TriedRequest } from './send-call.ts';
import type { ApiOperation, Schemas } from './types.ts';

/** The input of the form of a call. */
export interface TypedCall {
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** `name=value` pairs as in a query string, for filters and sort orders. */
  moreQuery: string;
  bodyText: string;
  file?: Blob | undefined;
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
      ...(body === undefined
        ? {}
        : {
            bodyType: typed.file === undefined ? body.mediaType : typed.file.type,
            body: typed.file ?? typed.bodyText,
          }),
    },
  };
};

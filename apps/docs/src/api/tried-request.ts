import { readBody, type BodyFault } from './check-body.ts';
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

const parameterFaults = ({ parameters }: ApiOperation, { params, query }: TypedCall): BodyFault[] =>
  parameters.flatMap(({ name, in: place, required }): BodyFault[] => {
    const value = (place === 'path' ? params : query)[name] ?? '';
    if (value === '') return required ? [{ at: name, problem: 'is missing' }] : [];
    // Browsers resolve such segments to another path.
    return place === 'path' && /^\.\.?$/.test(value) ? [{ at: name, problem: 'cannot stand in a path' }] : [];
  });

/** The request from the input, or all of its problems. */
export const triedRequest = (
  operation: ApiOperation,
  schemas: Schemas,
  host: string,
  typed: TypedCall,
): { request: TriedRequest } | { faults: readonly BodyFault[] } => {
  const { method, path, body, answer } = operation;
  const faults = parameterFaults(operation, typed);
  const isJson = body?.mediaType.startsWith('application/json') === true;
  const reading = body !== undefined && isJson ? readBody(typed.bodyText, body.schema, schemas) : undefined;
  if (reading !== undefined && 'faults' in reading) faults.push(...reading.faults);
  if (body?.mediaType === 'image/*' && typed.file === undefined) {
    faults.push({ at: 'body', problem: 'is missing: choose a file' });
  }
  if (faults.length > 0) return { faults };
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

import type { ApiOperation, CallInput, CredentialRule, FormPart, Method, RecordedCall } from '../types.ts';

/** One call of the API with its complete request. */
export interface SampleCall extends CallInput {
  operationId: string;
  method: Method;
  path: string;
  /** Scheme, name and port, without a slash at its end. */
  host: string;
  credential: CredentialRule;
  /** The media type of the body; absent where there is none. */
  bodyType?: string;
  /** The media type of the response. */
  answerType: string;
  answerStatus: number;
}

/** Whether a body or a response of this media type is JSON. */
export const isJson = (mediaType: string | undefined): boolean =>
  mediaType?.startsWith('application/json') === true;
/** Whether a body of this media type is a form. */
export const isForm = (mediaType: string | undefined): boolean =>
  mediaType === 'application/x-www-form-urlencoded';

/** The parts of the body where it is a form with files; undefined for other bodies. */
export const partsOf = ({ body, bodyType }: SampleCall): readonly FormPart[] | undefined =>
  bodyType === 'multipart/form-data' && Array.isArray(body) ? (body as FormPart[]) : undefined;

export const isRedirect = ({ answerStatus }: SampleCall): boolean =>
  answerStatus >= 300 && answerStatus < 400;

/** The body of a form, or the name of a file. */
export const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** A call that needs no credential is shown without one. */
export const sendsCredential = ({ credential }: SampleCall): boolean =>
  credential === 'any' || credential === 'bearer';

/** The path with the values of its parameters; a parameter without a value keeps its braces. */
export const pathOf = ({ path, params }: Pick<SampleCall, 'params' | 'path'>): string =>
  path.replaceAll(/\{([^}]*)\}/g, (braced, name: string) => {
    const value = params[name];
    return value === undefined || value === '' ? braced : encodeURIComponent(value);
  });

/** `$limit` and brackets stay readable: they need no escape in a query string. */
const encodeName = (name: string): string =>
  encodeURIComponent(name).replaceAll('%24', '$').replaceAll('%5B', '[').replaceAll('%5D', ']');

/** The address of a call. */
export const addressOf = (call: Pick<SampleCall, 'host' | 'params' | 'path' | 'query'>): string => {
  const query = call.query
    .map(([name, value]) => `${encodeName(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return `${call.host}${pathOf(call)}${query === '' ? '' : `?${query}`}`;
};

/** A value as JSON, which is a valid literal in all of these languages. */
export const literal = (value: unknown): string => JSON.stringify(value);

/** A call of the reference with recorded input, as samples show it. */
export const sampleCall = (
  { id, method, path, credential, body, answer, parameters }: ApiOperation,
  host: string,
  recorded: RecordedCall | undefined,
): SampleCall => ({
  operationId: id,
  method,
  path,
  host,
  credential,
  params:
    recorded?.params ??
    Object.fromEntries(
      parameters.filter(({ in: place }) => place === 'path').map(({ name }) => [name, name]),
    ),
  query: recorded?.query ?? [],
  answerType: answer.mediaType,
  answerStatus: recorded?.answer.status ?? answer.status,
  ...(body === undefined ? {} : { bodyType: body.mediaType, body: recorded?.body }),
});

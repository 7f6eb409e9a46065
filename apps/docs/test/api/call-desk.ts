import { routes, type OperationId, type RouteDescriptor } from '@redoubt/contract';
import type { RecordedCall, Recording } from '../../src/api/types.ts';
import { shorten } from './shorten.ts';

/** The credential of a call. */
export type Caller = { token: string } | { key: string } | undefined;

/** A part of a form: a text, or a file with its content. */
export type SentPart = { name: string; text: string } | { name: string; file: string; content: string };

/** The request of a call. */
export interface Sent {
  by?: Caller;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Sent as JSON. A string is sent as a form. */
  body?: unknown;
  /** Sent instead of the body: these bytes, recorded as a file of this name. */
  file?: { name: string; type: string; bytes: Uint8Array<ArrayBuffer> };
  /** Sent instead of the body: a form with files. The recording has their names. */
  form?: readonly SentPart[];
  headers?: Readonly<Record<string, string>>;
  /** Does not wait for jobs to end before the next call. */
  leavesJobs?: boolean;
  /** Shortens a long response before it is recorded. */
  shorten?: (body: unknown) => unknown;
}

/** A received response. */
export interface Came {
  status: number;
  headers: Headers;
  body: unknown;
}

/** A recorded call before replacements. */
export interface LiveCall {
  operationId: OperationId;
  token?: string | undefined;
  call: RecordedCall;
  /** The files of its form. */
  files: readonly { file: string; content: string }[];
}

/** Makes calls, and records some of them. */
export interface CallDesk {
  /** Makes a call without recording it. */
  call<T = { id: string }>(operationId: OperationId, sent: Sent): Promise<T>;
  /** Makes a call and records it as the success of its operation. */
  success<T = { id: string }>(operationId: OperationId, sent: Sent): Promise<T>;
  /** Makes a call and records it as an error of its operation. */
  error(operationId: OperationId, sent: Sent): Promise<void>;
  /** Replaces this value by the word in all later recordings. */
  hide(value: string, word: string): void;
  /** The recordings, with all replacements applied. */
  recordings(): Record<string, Recording>;
}

const encoded = (query: Readonly<Record<string, string>>): string => new URLSearchParams(query).toString();

const formOf = (parts: readonly SentPart[]): FormData => {
  const form = new FormData();
  for (const part of parts) {
    if ('file' in part) form.append(part.name, new Blob([part.content]), part.file);
    else form.append(part.name, part.text);
  }
  return form;
};

/** The body of a request and its media type; the type of a form has a boundary, which `fetch` adds. */
const bodyOf = ({ body, file, form }: Sent, route: RouteDescriptor): RequestInit => {
  if (form !== undefined) return { body: formOf(form) };
  if (file !== undefined) return { body: file.bytes, headers: { 'content-type': file.type } };
  if (body === undefined) return {};
  return {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': route.bodyType ?? 'application/json' },
  };
};

const send = async (url: string, route: RouteDescriptor, sent: Sent): Promise<Came> => {
  const { by, params = {}, query = {}, headers = {} } = sent;
  const content = bodyOf(sent, route);
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_braced, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = encoded(query);
  const response = await fetch(`${url}${path}${search === '' ? '' : `?${search}`}`, {
    method: route.method,
    redirect: 'manual',
    headers: {
      ...(by === undefined
        ? {}
        : 'key' in by
          ? { 'x-api-key': by.key }
          : { authorization: `Bearer ${by.token}` }),
      ...(content.headers as Record<string, string> | undefined),
      ...headers,
    },
    ...(content.body === undefined ? {} : { body: content.body }),
  });
  const mediaType = response.headers.get('content-type') ?? '';
  const text = mediaType.startsWith('image/') ? void (await response.arrayBuffer()) : await response.text();
  const isJson = mediaType.includes('json') && text !== undefined;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
};

const record = (
  { by, params = {}, query = {}, body, file, form, shorten: own }: Sent,
  came: Came,
): RecordedCall => {
  const location = came.headers.get('location');
  const sentBody =
    file?.name ?? form?.map((part) => ('file' in part ? { name: part.name, file: part.file } : part)) ?? body;
  return {
    credential: by === undefined ? 'none' : 'key' in by ? 'api-key' : 'bearer',
    params,
    query: Object.entries(query),
    ...(sentBody === undefined ? {} : { body: sentBody }),
    answer: {
      status: came.status,
      mediaType: (came.headers.get('content-type') ?? '').split(';')[0] ?? '',
      ...(location === null ? {} : { location }),
      ...(came.body === undefined ? {} : { body: shorten(own === undefined ? came.body : own(came.body)) }),
    },
  };
};

/**
 * @param settled resolves when no job runs, so that recordings do not depend on timing
 * @param onSuccess called after each recorded success, while its objects still exist
 */
export const createCallDesk = (
  url: string,
  settled: () => Promise<void>,
  onSuccess: (call: LiveCall) => Promise<void> | void = () => undefined,
): CallDesk => {
  const kept = new Map<OperationId, Partial<Recording>>();
  const words = new Map<string, string>();
  const ask = async (operationId: OperationId, sent: Sent): Promise<Came> => {
    const came = await send(url, routes[operationId], sent);
    if (sent.leavesJobs !== true) await settled();
    return came;
  };
  const ok = async (operationId: OperationId, sent: Sent): Promise<Came> => {
    const came = await ask(operationId, sent);
    if (came.status < 400) return came;
    throw new Error(`${operationId} answered ${came.status}: ${JSON.stringify(came.body)}`);
  };
  const replaced = (text: string): string =>
    [...words].reduce(
      (so, [value, word]) =>
        so.replaceAll(value, word).replaceAll(encodeURIComponent(value), encodeURIComponent(word)),
      text,
    );
  return {
    call: async <T>(operationId: OperationId, sent: Sent) => (await ok(operationId, sent)).body as T,
    success: async <T>(operationId: OperationId, sent: Sent) => {
      const came = await ok(operationId, sent);
      const { success, redirects } = routes[operationId] as RouteDescriptor;
      if (came.status !== success.status && redirects === undefined) {
        throw new Error(`${operationId} answered ${came.status} and not ${success.status}`);
      }
      const call = record(sent, came);
      if (kept.get(operationId)?.success !== undefined) throw new Error(`${operationId} is recorded already`);
      kept.set(operationId, { ...kept.get(operationId), success: call });
      const token = sent.by !== undefined && 'token' in sent.by ? sent.by.token : undefined;
      const files = (sent.form ?? []).flatMap((part) => ('file' in part ? [part] : []));
      await onSuccess({ operationId, token, call, files });
      return came.body as T;
    },
    error: async (operationId, sent) => {
      const came = await ask(operationId, sent);
      if (came.status < 400) throw new Error(`${operationId} answered ${came.status} and no error`);
      kept.set(operationId, { ...kept.get(operationId), error: record(sent, came) });
    },
    hide: (value, word) => void words.set(value, word),
    recordings: () => {
      const list = [...kept].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const tokens = /eyJ[\w-]+\.[\w-]+\.[\w-]+…?/g;
      const text = replaced(JSON.stringify(Object.fromEntries(list))).replaceAll(tokens, 'ACCESS_TOKEN');
      return JSON.parse(text) as Record<string, Recording>;
    },
  };
};

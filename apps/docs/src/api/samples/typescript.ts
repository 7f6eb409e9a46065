import type { CallInput, FormPart } from '../types.ts';
import {
  addressOf,
  isForm,
  isJson,
  isRedirect,
  literal,
  partsOf,
  sendsCredential,
  textOf,
  type SampleCall,
} from './sample-call.ts';

const keyText = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key));

/** A value as a TypeScript literal. Names are quoted only if necessary. */
const typescriptValue = (value: unknown, indent: string): string => {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${deeper}${typescriptValue(item, deeper)},\n`).join('')}${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return literal(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  return `{\n${entries.map(([key, item]) => `${deeper}${keyText(key)}: ${typescriptValue(item, deeper)},\n`).join('')}${indent}}`;
};

/** Turns parameters such as `$sort[name]=1` into the object that the client takes. */
const nestedQuery = (query: CallInput['query']): Record<string, unknown> => {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of query) {
    const [first = name, ...rest] = name.split(/\[|\]\[|\]/).filter((part) => part !== '');
    const known = /^(\$limit|\$skip|\$sort)$/.test(first);
    const scalar = known ? Number(value) : /^(true|false)$/.test(value) ? value === 'true' : value;
    const key = rest[0];
    nested[first] = key === undefined ? scalar : { ...(nested[first] as object | undefined), [key]: scalar };
  }
  return nested;
};

/** Calls of browsers and forms. The typed client does not support their bodies or responses. */
const needsFetch = (call: SampleCall): boolean =>
  (call.body !== undefined && !isJson(call.bodyType) && partsOf(call) === undefined) ||
  !isJson(call.answerType) ||
  isRedirect(call);

const fetchSample = (call: SampleCall): string => {
  const { method, body, bodyType, answerType } = call;
  const isFile = body !== undefined && !isJson(bodyType) && !isForm(bodyType);
  const headers = [
    ...(sendsCredential(call) ? ['    authorization: `Bearer ${process.env.TOKEN}`,'] : []),
    ...(bodyType === undefined || body === undefined
      ? []
      : [`    'content-type': ${literal(isFile ? 'image/png' : bodyType)},`]),
  ];
  const sent = isFile
    ? [`  body: await readFile(${literal(textOf(body))}),`]
    : body === undefined
      ? []
      : [`  body: ${literal(isForm(bodyType) ? textOf(body) : JSON.stringify(body))},`];
  const reads = answerType.startsWith('text/') ? 'text' : isJson(answerType) ? 'json' : 'bytes';
  const answer = isRedirect(call) ? "response.headers.get('location')" : `await response.${reads}()`;
  return [
    ...(isFile ? ["import { readFile } from 'node:fs/promises';", ''] : []),
    `const response = await fetch(${literal(addressOf(call))}, {`,
    ...(method === 'GET' ? [] : [`  method: ${literal(method)},`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...sent,
    "  redirect: 'manual',",
    '});',
    `console.log(response.status, ${answer});`,
  ].join('\n');
};

/** Statements that make a form. A file is read while it is sent. */
const formLines = (form: readonly FormPart[]): string[] => [
  'const form = new FormData();',
  ...form.map((part) =>
    'file' in part
      ? `form.append(${literal(part.name)}, await openAsBlob(${literal(part.file)}), ${literal(part.file)});`
      : `form.append(${literal(part.name)}, ${literal(part.text)});`,
  ),
];

/** The call with `@redoubt/api-client`, or with `fetch` if the client does not support the body or the response. */
export const typescriptSample = (call: SampleCall): string => {
  if (needsFetch(call)) return fetchSample(call);
  const { params, query, body } = call;
  const form = partsOf(call);
  const input = {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(query.length === 0 ? {} : { query: nestedQuery(query) }),
    ...(body === undefined || form !== undefined ? {} : { body }),
  };
  const options = [
    `  baseUrl: ${literal(call.host)},`,
    ...(sendsCredential(call) ? ['  token: () => process.env.TOKEN,'] : []),
  ];
  const argument =
    form !== undefined ? '{ body: form }' : Object.keys(input).length === 0 ? '' : typescriptValue(input, '');
  return [
    ...(form === undefined ? [] : ["import { openAsBlob } from 'node:fs';"]),
    "import { createApiClient } from '@redoubt/api-client';",
    '',
    `const client = createApiClient({\n${options.join('\n')}\n});`,
    ...(form === undefined ? [] : formLines(form)),
    `const answer = await client.${call.operationId}(${argument});`,
    'console.log(answer);',
  ].join('\n');
};

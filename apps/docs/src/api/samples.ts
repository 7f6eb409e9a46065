import type { CallInput, CredentialRule, Method } from './types.ts';

/** The languages of samples, in the order of their tabs. */
export const languages = [
  { id: 'curl', label: 'curl', highlight: 'bash' },
  { id: 'typescript', label: 'TypeScript', highlight: 'ts' },
  { id: 'python', label: 'Python', highlight: 'python' },
] as const;

export type Language = (typeof languages)[number]['id'];

/** One call of the API with everything that it sends. */
export interface SampleCall extends CallInput {
  operationId: string;
  method: Method;
  path: string;
  /** Scheme, name and port, without a slash at its end. */
  host: string;
  credential: CredentialRule;
  /** The media type of the body; absent where there is none. */
  bodyType?: string;
  /** The media type of the answer. */
  answerType: string;
}

const isJson = (mediaType: string | undefined): boolean => mediaType?.startsWith('application/json') === true;
const isForm = (mediaType: string | undefined): boolean => mediaType === 'application/x-www-form-urlencoded';

/** The body of a form, or the name of a file. */
const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));

/** A call that does without a credential is shown without one. */
const sendsCredential = ({ credential }: SampleCall): boolean =>
  credential === 'any' || credential === 'bearer';

/** The path with its parameters put in; a parameter without a value keeps its braces. */
export const pathOf = ({ path, params }: Pick<SampleCall, 'params' | 'path'>): string =>
  path.replaceAll(/\{([^}]*)\}/g, (braced, name: string) => {
    const value = params[name];
    return value === undefined || value === '' ? braced : encodeURIComponent(value);
  });

/** Names of list conventions stay readable: `$limit` and brackets need no escape in a query string. */
const encodeName = (name: string): string =>
  encodeURIComponent(name).replaceAll('%24', '$').replaceAll('%5B', '[').replaceAll('%5D', ']');

/** The address of a call. */
export const addressOf = (call: Pick<SampleCall, 'host' | 'params' | 'path' | 'query'>): string => {
  const query = call.query
    .map(([name, value]) => `${encodeName(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return `${call.host}${pathOf(call)}${query === '' ? '' : `?${query}`}`;
};

/** As one word of a POSIX shell in which nothing is replaced. */
const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The call for a shell with curl, in which `TOKEN` holds a bearer token. */
export const curlSample = (call: SampleCall): string => {
  const { method, body, bodyType } = call;
  const address = addressOf(call);
  // Brackets and braces have a meaning for curl unless it is told otherwise.
  const globbing = /[[\]{}]/.test(address) ? ['--globoff'] : [];
  const start = ['curl', ...globbing, ...(method === 'GET' ? [] : [`-X ${method}`]), shellWord(address)].join(
    ' ',
  );
  const parts = [start];
  if (sendsCredential(call)) parts.push('-H "Authorization: Bearer $TOKEN"');
  if (body !== undefined && bodyType !== undefined) {
    const type = bodyType === 'image/*' ? 'image/png' : bodyType;
    parts.push(`-H ${shellWord(`Content-Type: ${type}`)}`);
    if (isJson(bodyType)) parts.push(`-d ${shellWord(JSON.stringify(body, undefined, 2))}`);
    else if (isForm(bodyType)) parts.push(`-d ${shellWord(textOf(body))}`);
    else parts.push(`--data-binary ${shellWord(`@${textOf(body)}`)}`);
  }
  if (/^(image|application\/vnd)/.test(call.answerType)) parts.push(`-o ${shellWord('answer.bin')}`);
  return parts.join(' \\\n  ');
};

const literal = (value: unknown): string => JSON.stringify(value);

/** A value as it is written in TypeScript: names without quotes where they need none. */
const typescriptValue = (value: unknown, indent: string): string => {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${deeper}${typescriptValue(item, deeper)},\n`).join('')}${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return literal(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const name = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key));
  return `{\n${entries.map(([key, item]) => `${deeper}${name(key)}: ${typescriptValue(item, deeper)},\n`).join('')}${indent}}`;
};

/** `$sort[name]=1` and its like as the object that the client takes. */
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

/** Calls that browsers or forms make, whose body or answer is none of the typed client. */
const needsFetch = ({ body, bodyType, answerType }: SampleCall): boolean =>
  (body !== undefined && !isJson(bodyType)) || !isJson(answerType);

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
  return [
    ...(isFile ? ["import { readFile } from 'node:fs/promises';", ''] : []),
    `const response = await fetch(${literal(addressOf(call))}, {`,
    ...(method === 'GET' ? [] : [`  method: ${literal(method)},`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...sent,
    "  redirect: 'manual',",
    '});',
    `console.log(response.status, await response.${reads}());`,
  ].join('\n');
};

/** The call with `@redoubt/api-client`, or with fetch where the client does not take or give such a body. */
export const typescriptSample = (call: SampleCall): string => {
  if (needsFetch(call)) return fetchSample(call);
  const { params, query, body } = call;
  const input = {
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(query.length === 0 ? {} : { query: nestedQuery(query) }),
    ...(body === undefined ? {} : { body }),
  };
  const options = [
    `  baseUrl: ${literal(call.host)},`,
    ...(sendsCredential(call) ? ['  token: () => process.env.TOKEN,'] : []),
  ];
  const argument = Object.keys(input).length === 0 ? '' : typescriptValue(input, '');
  return [
    "import { createApiClient } from '@redoubt/api-client';",
    '',
    `const client = createApiClient({\n${options.join('\n')}\n});`,
    `const answer = await client.${call.operationId}(${argument});`,
    'console.log(answer);',
  ].join('\n');
};

/** A value of JSON as Python writes it. */
const pythonValue = (value: unknown, indent: string): string => {
  const deeper = `${indent}    `;
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${deeper}${pythonValue(item, deeper)},\n`).join('')}${indent}]`;
  }
  if (typeof value !== 'object') return literal(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  return `{\n${entries.map(([key, item]) => `${deeper}${literal(key)}: ${pythonValue(item, deeper)},\n`).join('')}${indent}}`;
};

/** The call with the library `requests`. */
export const pythonSample = (call: SampleCall): string => {
  const { method, body, bodyType, answerType } = call;
  const parts: string[] = [`    ${literal(`${call.host}${pathOf(call)}`)},`];
  const sendsToken = sendsCredential(call);
  const hasOtherBody = body !== undefined && bodyType !== undefined && !isJson(bodyType);
  if (call.query.length > 0) {
    const pairs = call.query.map(([name, value]) => `        (${literal(name)}, ${literal(value)}),\n`);
    parts.push(`    params=[\n${pairs.join('')}    ],`);
  }
  const headers = {
    ...(sendsToken ? { Authorization: 'token' } : {}),
    ...(hasOtherBody ? { 'Content-Type': bodyType === 'image/*' ? 'image/png' : bodyType } : {}),
  };
  const headerLines = Object.entries(headers).map(([name, value]) =>
    name === 'Authorization'
      ? '        "Authorization": f"Bearer {os.environ[\'TOKEN\']}",\n'
      : `        ${literal(name)}: ${literal(value)},\n`,
  );
  if (headerLines.length > 0) parts.push(`    headers={\n${headerLines.join('')}    },`);
  if (body !== undefined) {
    if (isJson(bodyType)) parts.push(`    json=${pythonValue(body, '    ')},`);
    else if (isForm(bodyType)) parts.push(`    data=${literal(textOf(body))},`);
    else parts.push(`    data=open(${literal(textOf(body))}, "rb"),`);
  }
  parts.push('    allow_redirects=False,');
  const read = answerType.startsWith('text/')
    ? 'print(response.status_code, response.text)'
    : isJson(answerType)
      ? 'print(response.status_code, response.json())'
      : 'print(response.status_code, len(response.content))';
  return [
    ...(sendsToken ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...parts,
    ')',
    read,
  ].join('\n');
};

/** The call in a language. */
export const sampleOf = (language: Language, call: SampleCall): string => {
  if (language === 'curl') return curlSample(call);
  return language === 'typescript' ? typescriptSample(call) : pythonSample(call);
};

import type { FormPart } from '../types.ts';
import {
  isForm,
  isJson,
  isRedirect,
  literal,
  partsOf,
  pathOf,
  sendsCredential,
  textOf,
  type SampleCall,
} from './sample-call.ts';

/** A JSON value as a Python literal. */
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

/** The arguments for a form with files. */
const formArguments = (form: readonly FormPart[]): string[] => {
  const texts = form.flatMap((part) =>
    'text' in part ? [`        (${literal(part.name)}, ${literal(part.text)}),\n`] : [],
  );
  const files = form.flatMap((part) =>
    'file' in part ? [`        (${literal(part.name)}, open(${literal(part.file)}, "rb")),\n`] : [],
  );
  return [
    ...(texts.length === 0 ? [] : [`    data=[\n${texts.join('')}    ],`]),
    `    files=[\n${files.join('')}    ],`,
  ];
};

/** The call with the library `requests`. */
export const pythonSample = (call: SampleCall): string => {
  const { method, body, bodyType, answerType } = call;
  const parts: string[] = [`    ${literal(`${call.host}${pathOf(call)}`)},`];
  const sendsToken = sendsCredential(call);
  const form = partsOf(call);
  const hasOtherBody =
    body !== undefined && bodyType !== undefined && !isJson(bodyType) && form === undefined;
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
    if (form !== undefined) parts.push(...formArguments(form));
    else if (isJson(bodyType)) parts.push(`    json=${pythonValue(body, '    ')},`);
    else if (isForm(bodyType)) parts.push(`    data=${literal(textOf(body))},`);
    else parts.push(`    data=open(${literal(textOf(body))}, "rb"),`);
  }
  parts.push('    allow_redirects=False,');
  const answer = isRedirect(call)
    ? 'response.headers["Location"]'
    : answerType.startsWith('text/')
      ? 'response.text'
      : isJson(answerType)
        ? 'response.json()'
        : 'len(response.content)';
  return [
    ...(sendsToken ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...parts,
    ')',
    `print(response.status_code, ${answer})`,
  ].join('\n');
};

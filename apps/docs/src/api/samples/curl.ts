import {
  addressOf,
  isForm,
  isJson,
  isRedirect,
  partsOf,
  sendsCredential,
  textOf,
  type SampleCall,
} from './sample-call.ts';

/** Quotes a text as one word of a POSIX shell, without expansion. */
const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The call with curl. The variable `TOKEN` contains a bearer token. */
export const curlSample = (call: SampleCall): string => {
  const { method, body, bodyType } = call;
  const address = addressOf(call);
  // curl would expand brackets and braces.
  const globbing = /[[\]{}]/.test(address) ? ['--globoff'] : [];
  const form = partsOf(call);
  // curl posts forms by itself.
  const verb = method === 'GET' || form !== undefined ? [] : [`-X ${method}`];
  // The target of a redirect is in a header.
  const shown = isRedirect(call) ? ['-i'] : [];
  const start = ['curl', ...globbing, ...shown, ...verb, shellWord(address)].join(' ');
  const parts = [start];
  if (sendsCredential(call)) parts.push('-H "Authorization: Bearer $TOKEN"');
  for (const part of form ?? [])
    // With -F, curl would cut a text at a semicolon.
    parts.push(
      'file' in part
        ? `-F ${shellWord(`${part.name}=@${part.file}`)}`
        : `--form-string ${shellWord(`${part.name}=${part.text}`)}`,
    );
  if (body !== undefined && bodyType !== undefined && form === undefined) {
    const type = bodyType === 'image/*' ? 'image/png' : bodyType;
    parts.push(`-H ${shellWord(`Content-Type: ${type}`)}`);
    if (isJson(bodyType)) parts.push(`-d ${shellWord(JSON.stringify(body, undefined, 2))}`);
    else if (isForm(bodyType)) parts.push(`-d ${shellWord(textOf(body))}`);
    else parts.push(`--data-binary ${shellWord(`@${textOf(body)}`)}`);
  }
  if (/^(image|application\/vnd)/.test(call.answerType)) parts.push(`-o ${shellWord('answer.bin')}`);
  return parts.join(' \\\n  ');
};

import {
  addressOf,
  isForm,
  isJson,
  isRedirect,
  sendsCredential,
  textOf,
  type SampleCall,
} from './sample-call.ts';

/** As one word of a POSIX shell in which nothing is replaced. */
const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The call for a shell with curl, in which `TOKEN` holds a bearer token. */
export const curlSample = (call: SampleCall): string => {
  const { method, body, bodyType } = call;
  const address = addressOf(call);
  // Brackets and braces have a meaning for curl unless it is told otherwise.
  const globbing = /[[\]{}]/.test(address) ? ['--globoff'] : [];
  const verb = method === 'GET' ? [] : [`-X ${method}`];
  // Where a redirect sends to stands in a header.
  const shown = isRedirect(call) ? ['-i'] : [];
  const start = ['curl', ...globbing, ...shown, ...verb, shellWord(address)].join(' ');
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

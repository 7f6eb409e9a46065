const lineBreak = /[\n\r]/;

/** Removes white space between the tokens of valid JSON, so that it fits on one line. JSON on one line stays as it is. */
export function toOneLine(json: string): string {
  if (!lineBreak.test(json)) return json;
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < json.length;) {
    const code = json.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(json, at);
    } else if (isSpace(code)) {
      parts.push(json.slice(from, at));
      while (isSpace(json.charCodeAt(at))) at++;
      from = at;
    } else {
      at++;
    }
  }
  parts.push(json.slice(from));
  return parts.join('');
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

function endOfString(json: string, from: number): number {
  for (let at = from + 1; ; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x22 || Number.isNaN(code)) return at + 1;
    if (code === 0x5c) at++;
  }
}

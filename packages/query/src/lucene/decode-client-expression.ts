/**
 * The expression that a client meant. Some clients percent-encode it inside the JSON body, every character but letters,
 * digits and `_ . - ~ /`; a text that consists of nothing but these and `%XX` is decoded. Any other text, and one that
 * is no UTF-8 when decoded, is taken as it is, so that `LIKE '%ab%'` survives.
 */
export function decodeClientExpression(text: string): string {
  if (!/^(?:[\w.\-~/]|%[\dA-Fa-f]{2})*$/.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

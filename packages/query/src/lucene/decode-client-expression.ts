/**
 * Returns the expression that a client meant. Some clients percent-encode the expression inside the JSON body, except for
 * letters, digits and `_ . - ~ /`. Text of only these characters and `%XX` is decoded. Other text, and text that does
 * not decode to UTF-8, is returned unchanged, so that `LIKE '%ab%'` still works.
 */
export function decodeClientExpression(text: string): string {
  if (!/^(?:[\w.\-~/]|%[\dA-Fa-f]{2})*$/.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

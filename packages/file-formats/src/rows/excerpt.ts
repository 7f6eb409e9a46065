/** Quotes the start of a text, for a message. */
export function excerpt(text: string): string {
  const quoted = JSON.stringify(text.slice(0, 30).toWellFormed());
  return text.length > 30 ? `${quoted.slice(0, -1)}…"` : quoted;
}

const widest = 200;

/** Names are other people's texts: in a mail they take one line and no more. */
const oneLine = (text: string): string => {
  // Control and format characters could make lines, or turn the direction of the text around.
  const plain = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return plain.length > widest ? `${plain.slice(0, widest)}…` : plain;
};

/**
 * The text of a mail: paragraphs as a template writes them, with what is filled in kept to one line. A link stands alone.
 */
export const renderMail = (
  paragraphs: readonly string[],
  filled: Readonly<Record<string, string>> = {},
): string => {
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const value = filled[name];
      return value === undefined ? whole : oneLine(value);
    });
  return `${paragraphs.map(fill).join('\n\n')}\n`;
};

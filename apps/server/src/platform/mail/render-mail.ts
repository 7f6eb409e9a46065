const maxLength = 200;

/** Makes a value from another person, such as a name, safe to insert: one line of limited length. */
const oneLine = (text: string): string => {
  // Control and format characters could add lines or reverse the direction of the text.
  const plain = text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain;
};

/**
 * Renders the text of a mail.
 * @param paragraphs the paragraphs of the template, with placeholders such as `{name}`; a link is a paragraph of its
 * own
 * @param filled the values of the placeholders, which are reduced to one line
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

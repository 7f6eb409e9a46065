/** The elements of an array of one dimension as PostgreSQL prints it: `{1,NULL,"a b"}`. */
export function postgresArray(text: string): (string | null)[] {
  const elements: (string | null)[] = [];
  const inner = text.slice(1, -1);
  const element = /"((?:[^"\\]|\\.)*)"|([^,]+)/gsy;
  for (let at = 0; at < inner.length; at = element.lastIndex + 1) {
    element.lastIndex = at;
    const [, quoted, plain] = element.exec(inner) ?? [];
    if (quoted !== undefined) elements.push(quoted.replaceAll(/\\(.)/gs, '$1'));
    else elements.push(plain === 'NULL' ? null : (plain ?? null));
    if (quoted === undefined && plain === undefined) break;
  }
  return elements;
}

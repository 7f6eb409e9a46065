/** A query of a page, with the caller and the language that its block names. */
export interface QueryBlock {
  readonly language: 'lucene' | 'sql';
  readonly text: string;
  /** The variable that contains the token of the caller. */
  readonly token: 'READER' | 'TOKEN';
}

/** Joins lines if that changes nothing: not inside texts and comments. */
const onOneLine = (text: string): string =>
  /--|'[^']*\n[^']*'/.test(text) ? text : text.replaceAll(/\s*\n\s*/g, ' ');

const bodyOf = ({ language, text }: QueryBlock): Record<string, string> =>
  language === 'sql' ? { expression: text } : { datasetId: '$DATASET', expression: text };

const pathOf = ({ language }: QueryBlock): string => (language === 'sql' ? '/query' : '/query/lucene');

/** The call with curl, with the variables that the pages of the site use. */
export const asCurl = (block: QueryBlock): string => {
  const json = JSON.stringify(bodyOf({ ...block, text: onOneLine(block.text) }))
    .replaceAll("'", `'\\''`)
    .replace('"$DATASET"', `"'$DATASET'"`);
  return [
    `curl "$REDOUBT${pathOf(block)}" \\`,
    `  -H "Authorization: Bearer $${block.token}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${json}'`,
  ].join('\n');
};

/** A Python string literal that may contain line breaks and both kinds of quotes. */
const pythonText = (text: string): string =>
  text.includes('\n') || text.includes('"')
    ? `"""\n${text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"')}\n"""`
    : `"${text.replaceAll('\\', '\\\\')}"`;

/** The call in Python, with the same environment variables. */
export const asPython = (block: QueryBlock): string => {
  const dataset = block.language === 'lucene' ? ['        "datasetId": os.environ["DATASET"],'] : [];
  return [
    'import os',
    'import requests',
    '',
    'answer = requests.post(',
    `    os.environ["REDOUBT"] + "${pathOf(block)}",`,
    `    headers={"Authorization": "Bearer " + os.environ["${block.token}"]},`,
    '    json={',
    ...dataset,
    `        "expression": ${pythonText(block.text)},`,
    '    },',
    ')',
    'answer.raise_for_status()',
    'for record in answer.json()["records"]:',
    '    print(record)',
  ].join('\n');
};

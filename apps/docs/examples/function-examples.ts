/** An example of the SQL reference: a call, and the results that the page states, one for each row. */
export interface FunctionExample {
  readonly call: string;
  readonly results: readonly string[];
}

/** The rows of the examples of aggregates and window functions. */
const rowsOfPage = /SELECT sum\(y\) (FROM \(VALUES .+\) AS t\(x, y\))/;
/** A call and its results, as in `abs(-4)` → `4`. */
const exampleOfPage = /`([^`]+)` → ((?:`[^`]*`(?:, )?)+)/g;

/** Finds all examples of the page, by the heading of the section in which they are. */
export const readFunctionExamples = (page: string): ReadonlyMap<string, readonly FunctionExample[]> =>
  new Map(
    page.split(/^##+ /m).map((section) => [
      section.split('\n', 1)[0] ?? '',
      [...section.matchAll(exampleOfPage)].map(([, call = '', results = '']) => ({
        call,
        results: Array.from(results.matchAll(/`([^`]*)`/g), ([, result = '']) => result),
      })),
    ]),
  );

/** The statement that computes an example of a section. */
const statementOf = (section: string, call: string, rows: string): string => {
  if (section === 'Aggregates') return `SELECT ${call} ${rows}`;
  if (section === 'Window functions') return `SELECT ${call} ${rows} ORDER BY y`;
  return section === 'Set-returning functions' ? `SELECT * FROM ${call}` : `SELECT ${call}`;
};

/** A value of a response as the page writes it: as a SQL literal, or in JSON. */
const literalOf = (value: unknown): string => {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value).replaceAll(
    /("(?:[^"\\]|\\.)*")|([,:])/g,
    (_, text, mark) => text ?? `${mark} `,
  );
};

const rowOf = (row: Readonly<Record<string, unknown>>): string => {
  const values = Object.values(row).map(literalOf);
  return values.length === 1 ? values.join('') : `(${values.join(', ')})`;
};

/** Computes the examples of the page on a server, and returns those whose results differ from the page. */
export const findWrongExamples = async (
  { url, token }: { readonly url: string; readonly token: string },
  page: string,
): Promise<string[]> => {
  const rows = rowsOfPage.exec(page)?.[1] ?? '';
  const wrong: string[] = [];
  for (const [section, examples] of readFunctionExamples(page)) {
    for (const { call, results } of examples) {
      const response = await fetch(`${url}/query`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ expression: statementOf(section, call, rows), limit: -1 }),
      });
      const { records, message } = (await response.json()) as {
        records?: Record<string, unknown>[];
        message?: string;
      };
      const computed = records?.map(rowOf).join(', ') ?? message ?? '';
      if (computed !== results.join(', ')) wrong.push(`${call} is ${computed}, not ${results.join(', ')}`);
    }
  }
  return wrong;
};

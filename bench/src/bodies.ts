/** The label info of a write body: each record has its label in the field `label`. */
const labelled =
  '"securityLabelInfo":{"fields":["label"],"parserClassName":"identity-parser","labelHandlingPolicy":"ignore"}';

/** The body of a write of these records, which are JSON texts. */
export const writeBody = (records: readonly string[]): string =>
  `{"records":[${records.join(',')}],${labelled}}`;

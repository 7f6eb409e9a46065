/** The rest of a write whose records carry their label in the field `label`. */
const labelled =
  '"securityLabelInfo":{"fields":["label"],"parserClassName":"identity-parser","labelHandlingPolicy":"ignore"}';

/** The body of a write of these records, given as JSON texts. */
export const writeBody = (records: readonly string[]): string =>
  `{"records":[${records.join(',')}],${labelled}}`;

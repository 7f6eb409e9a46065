import { multipartBody } from '../multipart-body.ts';
import type { Person } from './people.ts';
import type { Request } from './requests.ts';

/** Reads the label of each row from its column `label`. */
const labelColumn = {
  securityLabeled: true,
  securityLabelInfo: {
    fields: ['label'],
    parserClassName: 'identity-parser',
    labelHandlingPolicy: 'ignore',
  },
};

/**
 * Builds an upload of text files whose rows have their labels in the column `label`.
 * @param accessControlLabel replaces the part of this name; null leaves the part out
 */
export const uploadRequest = (
  writer: Pick<Person, 'token'>,
  datasetId: string,
  files: Readonly<Record<string, string>>,
  accessControlLabel: unknown = labelColumn,
  parts: Readonly<Record<string, unknown>> = {},
): Request => ({
  method: 'POST',
  path: '/uploads',
  token: writer.token,
  ...multipartBody([
    { name: 'datasetId', content: datasetId },
    ...Object.entries(files).map(([fileName, content]) => ({ name: 'files', fileName, content })),
    ...(accessControlLabel === null
      ? []
      : [{ name: 'accessControlLabel', content: JSON.stringify(accessControlLabel) }]),
    ...Object.entries(parts).map(([name, value]) => ({
      name,
      content: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  ]),
});

import { multipartBody } from '@redoubt/testkit';
import type { Person } from './people.ts';
import { byField } from './records.ts';
import type { Request } from './world.ts';

/** An upload of files with text, whose rows have their labels in the column `label`. */
export const uploadRequest = (
  writer: Pick<Person, 'token'>,
  datasetId: string,
  files: Readonly<Record<string, string>>,
  accessControlLabel: unknown = { securityLabeled: true, securityLabelInfo: byField },
): Request => ({
  method: 'POST',
  path: '/uploads',
  token: writer.token,
  ...multipartBody([
    { name: 'datasetId', content: datasetId },
    ...Object.entries(files).map(([fileName, content]) => ({ name: 'files', fileName, content })),
    ...(accessControlLabel === undefined
      ? []
      : [{ name: 'accessControlLabel', content: JSON.stringify(accessControlLabel) }]),
  ]),
});

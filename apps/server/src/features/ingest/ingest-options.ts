import { AccessControlLabel } from '@redoubt/contract';
import { badField, badRequest, securityError } from '@redoubt/errors';
import { createRecordLabeller, type SecurityLabelInfo } from '@redoubt/labels';
import { parseJsonBody } from '../../platform/http/body.ts';
import { createValidator } from '../../platform/http/validation.ts';

/** How the rows of files become records. */
export interface IngestOptions {
  /** Null: the records get no label. */
  securityLabelInfo: SecurityLabelInfo | null;
}

const requireLabel = createValidator(AccessControlLabel, 'accessControlLabel');

/**
 * Checks what was sent about labels. Nothing that somebody meant as protection is passed over.
 * @throws RedoubtError 400
 */
export const toIngestOptions = ({
  securityLabeled,
  securityLabelInfo,
}: AccessControlLabel): IngestOptions => {
  const info = securityLabelInfo ?? null;
  const isLabeled = securityLabeled ?? false;
  if (isLabeled && info === null) {
    const message =
      'securityLabeled is true and securityLabelInfo is missing. Send it, or securityLabeled: false.';
    throw securityError(`securityLabelInfo: ${message}`, [{ field: 'securityLabelInfo', message }]);
  }
  if (!isLabeled && info !== null) {
    const sent = securityLabeled === undefined || securityLabeled === null ? 'not sent' : 'false';
    const message = `securityLabelInfo was sent, and securityLabeled is ${sent}. Send securityLabeled: true, or leave securityLabelInfo out.`;
    throw securityError(`securityLabeled: ${message}`, [{ field: 'securityLabeled', message }]);
  }
  if (info !== null) createRecordLabeller(info);
  return { securityLabelInfo: info };
};

const readJsonObject = (field: string, text: string): Record<string, unknown> => {
  let value: unknown;
  try {
    value = parseJsonBody(Buffer.from(text));
  } catch (error) {
    throw badField(field, error instanceof Error ? error.message : 'it cannot be read.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badField(
      field,
      `${JSON.stringify(text.slice(0, 80))} is no JSON object. Send one, or leave the part out.`,
    );
  }
  return value as Record<string, unknown>;
};

/** The part `accessControlLabel` of an upload. */
export const parseAccessControlLabel = (text: string | undefined): IngestOptions => {
  if (text === undefined) return { securityLabelInfo: null };
  const sent = readJsonObject('accessControlLabel', text);
  requireLabel(sent);
  return toIngestOptions(sent);
};

/** The part `customMetadata` of an upload. */
export const parseCustomMetadata = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const metadata = readJsonObject('customMetadata', text);
  if (text.includes('\0') || JSON.stringify(metadata).includes(String.raw`\u0000`))
    throw badField('customMetadata', 'it holds the character NUL, which cannot be stored. Leave it out.');
  return text;
};

/** The part `processAsDocument` of an upload. */
export const parseFlag = (field: string, text: string | undefined): boolean => {
  switch (text?.toLowerCase()) {
    case undefined:
    case 'false':
      return false;
    case 'true':
      return true;
    default:
      throw badRequest(`${field}: ${JSON.stringify(text?.slice(0, 80))} was sent. Send "true" or "false".`);
  }
};

/** The names of fields that hold labels. */
export const labelFieldsOf = ({ securityLabelInfo }: IngestOptions): string[] => {
  const fields: unknown = securityLabelInfo?.fields;
  if (typeof fields === 'string') return fields.split(',').map((field) => field.trim());
  return Array.isArray(fields) ? fields.map(String) : [];
};

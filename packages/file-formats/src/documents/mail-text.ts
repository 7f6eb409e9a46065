import PostalMime, { type Address, type Email } from 'postal-mime';
import { FileParseError } from '../file-parse-error.ts';

/** Reads the text of a mail: its header fields, its text, and the names of its attachments. */
export async function readMailText(bytes: Uint8Array, fileName: string): Promise<string> {
  const mail = await parseMail(bytes, fileName);
  const fields: [string, string | undefined][] = [
    ['From', mail.from && addressText(mail.from)],
    ['To', addressTexts(mail.to)],
    ['Cc', addressTexts(mail.cc)],
    ['Date', mail.date],
    ['Subject', mail.subject],
    ['Attachments', mail.attachments.map(({ filename }) => filename ?? 'without a name').join(', ')],
  ];
  const header = fields.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : `${name}: ${value}`,
  );
  return [...header, '', await bodyOf(mail, fileName)].join('\n').trimEnd();
}

async function parseMail(bytes: Uint8Array, fileName: string): Promise<Email> {
  try {
    return await PostalMime.parse(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FileParseError(fileName, 0, `the mail cannot be read (${reason}). Save it again as .eml.`);
  }
}

async function bodyOf({ text, html }: Email, fileName: string): Promise<string> {
  if (text !== undefined && text.trim() !== '') return text;
  if (html === undefined) return '';
  const { readOfficeText } = await import('./office-text.ts');
  return (await readOfficeText(Buffer.from(html), 'html', fileName)).join('\n');
}

const addressText = (address: Address): string => {
  if (address.group !== undefined) return `${address.name}: ${address.group.map(addressText).join(', ')}`;
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
};

const addressTexts = (addresses: readonly Address[] | undefined): string | undefined =>
  addresses?.map(addressText).join(', ');

import type { Address, Email } from 'postal-mime';

/** The text of a mail: its header fields, its text, and the names of its attachments. */
export async function mailText(
  mail: Email,
  attachments: readonly string[],
  fileName: string,
): Promise<string> {
  const fields: [string, string | undefined][] = [
    ['From', mail.from && addressText(mail.from)],
    ['To', addressTexts(mail.to)],
    ['Cc', addressTexts(mail.cc)],
    ['Date', mail.date],
    ['Subject', mail.subject],
    ['Attachments', attachments.join(', ')],
  ];
  const header = fields.flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : `${name}: ${value}`,
  );
  return [...header, '', await bodyOf(mail, fileName)].join('\n').trimEnd();
}

async function bodyOf({ text, html }: Email, fileName: string): Promise<string> {
  if (text !== undefined && text.trim() !== '') return text;
  if (html === undefined) return '';
  const { readOfficeText } = await import('../office-text.ts');
  return (await readOfficeText(Buffer.from(html), 'html', fileName)).join('\n');
}

const addressText = (address: Address): string => {
  if (address.group !== undefined) return `${address.name}: ${address.group.map(addressText).join(', ')}`;
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
};

const addressTexts = (addresses: readonly Address[] | undefined): string | undefined =>
  addresses?.map(addressText).join(', ');

import { makeZip } from './make-archives.ts';

const escapePdf = (text: string): string => text.replaceAll(/[\\()]/g, String.raw`\$&`);

/** A page of a PDF that shows the lines of a text. */
const pageContent = (text: string): string =>
  `BT /F1 12 Tf 14 TL 50 750 Td ${text
    .split('\n')
    .map((line) => `(${escapePdf(line)}) Tj T*`)
    .join(' ')} ET`;

/** A PDF as ISO 32000 describes it, with a text for each page. */
export function makePdf(pages: readonly string[], { isEncrypted = false } = {}): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${String(pages.length)} /Kids [${pages.map((_, index) => `${String(5 + 2 * index)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'3a'.repeat(32)}> /U <${'5c'.repeat(32)}> >>`,
    ...pages.flatMap((text, index) => {
      const content = pageContent(text);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${String(6 + 2 * index)} 0 R >>`,
        `<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  const parts = ['%PDF-1.4\n'];
  let length = parts[0]?.length ?? 0;
  const places = objects.map((object, index) => {
    const place = length;
    const part = `${String(index + 1)} 0 obj\n${object}\nendobj\n`;
    parts.push(part);
    length += part.length;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const id = '<0123456789abcdef0123456789abcdef>';
  const encryption = isEncrypted ? ` /Encrypt 4 0 R /ID [${id} ${id}]` : '';
  parts.push(
    `xref\n0 ${String(objects.length + 1)}\n0000000000 65535 f \n${places.join('')}`,
    `trailer << /Size ${String(objects.length + 1)} /Root 1 0 R${encryption} >>\nstartxref\n${String(length)}\n%%EOF`,
  );
  return Buffer.from(parts.join(''), 'latin1');
}

/** A PDF whose only page is a picture, as a scanner makes it. */
export function makeScanPdf(jpeg: Uint8Array, width: number, height: number): Buffer {
  const size = `${String(width)} ${String(height)}`;
  const content = `q ${String(width)} 0 0 ${String(height)} 0 0 cm /Scan Do Q`;
  const image = `<< /Type /XObject /Subtype /Image /Width ${String(width)} /Height ${String(height)} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${String(jpeg.length)} >>`;
  return Buffer.concat([
    Buffer.from(
      `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${size}] /Resources << /XObject << /Scan 5 0 R >> >> /Contents 4 0 R >>\nendobj\n4 0 obj\n<< /Length ${String(content.length)} >>\nstream\n${content}\nendstream\nendobj\n5 0 obj\n${image}\nstream\n`,
    ),
    jpeg,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n'),
  ]);
}

const types = {
  path: '[Content_Types].xml',
  content:
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
};
const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const presentation = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** A Word document with these paragraphs. */
export const makeDocx = (paragraphs: readonly string[]): Promise<Buffer> =>
  makeZip([
    types,
    {
      path: 'word/document.xml',
      content: `<w:document ${word}><w:body>${paragraphs
        .map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`)
        .join('')}</w:body></w:document>`,
    },
  ]);

/** A presentation with a slide for each text. */
export const makePptx = (slides: readonly string[]): Promise<Buffer> =>
  makeZip([
    types,
    { path: 'ppt/presentation.xml', content: `<p:presentation ${presentation}/>` },
    ...slides.map((text, index) => ({
      path: `ppt/slides/slide${String(index + 1)}.xml`,
      content: `<p:sld ${drawing} ${presentation}><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
    })),
  ]);

const openDocument = (name: string): string => `urn:oasis:names:tc:opendocument:xmlns:${name}:1.0`;

/** An OpenDocument text with these paragraphs. */
export const makeOdt = (paragraphs: readonly string[], manifest = '<manifest/>'): Promise<Buffer> =>
  makeZip([
    { path: 'mimetype', content: 'application/vnd.oasis.opendocument.text', isStored: true },
    { path: 'META-INF/manifest.xml', content: manifest },
    {
      path: 'content.xml',
      content: `<office:document-content xmlns:office="${openDocument('office')}" xmlns:text="${openDocument('text')}"><office:body><office:text>${paragraphs
        .map((text) => `<text:p>${text}</text:p>`)
        .join('')}</office:text></office:body></office:document-content>`,
    },
  ]);

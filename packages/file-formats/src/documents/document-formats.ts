/** How clients can show the file of a document. */
export type DocumentKind = 'pdf' | 'image' | 'video' | 'other';

/** A file format that can be stored as a document, as the documentation lists it. */
export interface DocumentFormat {
  readonly name: string;
  /** Endings of file names, with the dot. */
  readonly extensions: readonly string[];
  readonly mediaType: string;
  readonly kind: DocumentKind;
  /** What becomes a record. */
  readonly description: string;
}

const openXml = 'application/vnd.openxmlformats-officedocument';
const openDocument = 'application/vnd.oasis.opendocument';
const noText = 'The file, with an empty text.';
const recognised = 'The text that is recognised in the image.';
const whole = 'The whole text.';

/** All formats of documents. */
export const documentFormats = [
  {
    name: 'pdf',
    extensions: ['.pdf'],
    mediaType: 'application/pdf',
    kind: 'pdf',
    description: 'The text of each page. It is recognised in pages that have none, such as scans.',
  },
  {
    name: 'docx',
    extensions: ['.docx', '.docm'],
    mediaType: `${openXml}.wordprocessingml.document`,
    kind: 'other',
    description: whole,
  },
  {
    name: 'pptx',
    extensions: ['.pptx', '.pptm'],
    mediaType: `${openXml}.presentationml.presentation`,
    kind: 'other',
    description: 'The text of each slide.',
  },
  {
    name: 'xlsx',
    extensions: ['.xlsx', '.xlsm'],
    mediaType: `${openXml}.spreadsheetml.sheet`,
    kind: 'other',
    description: 'The text of each sheet.',
  },
  {
    name: 'odt',
    extensions: ['.odt'],
    mediaType: `${openDocument}.text`,
    kind: 'other',
    description: whole,
  },
  {
    name: 'odp',
    extensions: ['.odp'],
    mediaType: `${openDocument}.presentation`,
    kind: 'other',
    description: 'The text of each slide.',
  },
  {
    name: 'ods',
    extensions: ['.ods'],
    mediaType: `${openDocument}.spreadsheet`,
    kind: 'other',
    description: 'The text of each sheet.',
  },
  {
    name: 'rtf',
    extensions: ['.rtf'],
    mediaType: 'application/rtf',
    kind: 'other',
    description: whole,
  },
  {
    name: 'html',
    extensions: ['.html', '.htm'],
    mediaType: 'text/html',
    kind: 'other',
    description: 'The text that a browser shows.',
  },
  {
    name: 'mail',
    extensions: ['.eml'],
    mediaType: 'message/rfc822',
    kind: 'other',
    description:
      'Sender, recipients, date, subject, text, and the names of the attachments, which are documents of their own.',
  },
  {
    name: 'mbox',
    extensions: ['.mbox', '.mbx'],
    mediaType: 'application/mbox',
    kind: 'other',
    description: 'Each mail is a document, and so are its attachments.',
  },
  {
    name: 'zip',
    extensions: ['.zip'],
    mediaType: 'application/zip',
    kind: 'other',
    description: 'Each file inside is a document, named by its path.',
  },
  {
    name: 'text',
    extensions: ['.txt', '.md', '.log'],
    mediaType: 'text/plain',
    kind: 'other',
    description: 'The whole text, also of Markdown, source code and tables.',
  },
  { name: 'png', extensions: ['.png'], mediaType: 'image/png', kind: 'image', description: recognised },
  {
    name: 'jpeg',
    extensions: ['.jpg', '.jpeg'],
    mediaType: 'image/jpeg',
    kind: 'image',
    description: recognised,
  },
  { name: 'gif', extensions: ['.gif'], mediaType: 'image/gif', kind: 'image', description: recognised },
  { name: 'webp', extensions: ['.webp'], mediaType: 'image/webp', kind: 'image', description: recognised },
  {
    name: 'tiff',
    extensions: ['.tif', '.tiff'],
    mediaType: 'image/tiff',
    kind: 'image',
    description: 'The text that is recognised in each page.',
  },
  {
    name: 'heif',
    extensions: ['.heic', '.heif', '.avif'],
    mediaType: 'image/heif',
    kind: 'other',
    description: 'The file, with its EXIF fields and an empty text.',
  },
  { name: 'mp4', extensions: ['.mp4', '.m4v'], mediaType: 'video/mp4', kind: 'video', description: noText },
  { name: 'mov', extensions: ['.mov'], mediaType: 'video/quicktime', kind: 'video', description: noText },
  { name: 'webm', extensions: ['.webm'], mediaType: 'video/webm', kind: 'video', description: noText },
] as const satisfies readonly DocumentFormat[];

/** The format of a document inside another that cannot be read. */
const otherFormat: DocumentFormat = {
  name: 'other',
  extensions: [],
  mediaType: 'application/octet-stream',
  kind: 'other',
  description: 'The file, with an empty text.',
};

/** Whether a format is only a collection of documents: all of its rows belong to one of them. */
export const containsOnlyDocuments = (name: string): boolean => name === 'mbox' || name === 'zip';

/** The formats of images. */
export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff';

export const isImage = (name: string): name is ImageFormat => documentFormatNamed(name)?.kind === 'image';

/** The name of a document format. */
export type DocumentFormatName = (typeof documentFormats)[number]['name'];

/** The document format with a name; undefined if there is none. */
export const documentFormatNamed = (name: string): DocumentFormat | undefined =>
  name === otherFormat.name ? otherFormat : documentFormats.find((format) => format.name === name);

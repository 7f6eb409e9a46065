export { chooseColumns } from './columns/choose-columns.ts';
export {
  createAvroMessageReader,
  type AvroMessage,
  type AvroMessageReader,
} from './columnar/avro/avro-messages.ts';
export { messagePlace, messagesFormat, rejectMark } from './json/open-ndjson.ts';
export { openFile } from './open-file.ts';
export { openDocument } from './documents/open-document.ts';
export { readInnerDocument } from './documents/inner/read-inner-document.ts';
export { innerDocumentId } from './documents/inner/inner-document-id.ts';
export { innerPlace, type InnerPlace } from './documents/inner/inner-path.ts';
export { drawPage } from './documents/draw-page.ts';
export type { PageImage, PageImageOptions } from './documents/page-image.ts';
export type { PageWord } from './documents/pdf-words.ts';
export { turnedGray, type Turn } from './documents/images/raster.ts';
export {
  documentFormatNamed,
  documentFormats,
  type DocumentFormat,
  type DocumentKind,
} from './documents/document-formats.ts';
export type {
  ByteSource,
  Column,
  ColumnOption,
  ColumnType,
  Dialect,
  FileOptions,
  InnerDocument,
  OpenedFile,
  PageScan,
  RejectedRow,
  RequiredColumn,
  Row,
  RowBatch,
  RowPosition,
} from './file-format.ts';
export { FileParseError } from './file-parse-error.ts';
export { defaultFileLimits, type FileLimits } from './file-limits.ts';
export { registeredFormats, type RegisteredFormat } from './registered-formats.ts';

export { comparable, digitsOf } from './comparable.ts';
export { readOrcFiles, sumParquet, writeColumnarFiles, type ColumnarFiles } from './columnar-files.ts';
export { readSamples } from './sample-tables.ts';
export { makeTar, makeZip, type PackedFile } from './make-archives.ts';
export { makeHostileFile, mutateFile, type HostileFile } from './mutate-file.ts';
export { makeDocx, makeOdt, makePdf, makeScanPdf, makePptx } from './make-documents.ts';
export { makeMail, makeMailbox, type MailPart } from './make-mail.ts';
export { bytesOf, readDocument, readDocumentRows, readFile, type FileContent } from './read-file.ts';
export { makeExif, makeJpeg, makePng, makeRaster, withExif, type TiffFields } from './make-images.ts';

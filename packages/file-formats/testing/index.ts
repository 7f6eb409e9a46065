export { writeColumnarFiles, type ColumnarFiles } from './columnar-files.ts';
export { makeTar, makeZip, type PackedFile } from './make-archives.ts';
export { readFile, type FileContent } from './read-file.ts';

export { finishSite, listFile, type SiteMarks } from './finish-site.ts';
export { inlineHashes, type InlineHashes } from './inline-hashes.ts';
export { hashInputs, isBuiltFrom, replaceFolder } from './site-folder.ts';

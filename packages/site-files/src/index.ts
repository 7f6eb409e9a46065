export { finishSite, listFile, type SiteMarks } from './finish-site.ts';
export { inlineHashes, type InlineHashes } from './inline-hashes.ts';

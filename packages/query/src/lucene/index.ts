/** Only the Lucene parser, so that browsers can load it without the compiler. */
export { parseLucene } from './parse-lucene.ts';

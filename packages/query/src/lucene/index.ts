/** The parser of Lucene alone, which browsers load too. */
export { parseLucene } from './parse-lucene.ts';

export { matchesLucene } from './matches-lucene.ts';

export { isHighlighted } from '../src/highlight/create-highlighter.ts';
export { matchesLucene } from './matches-lucene.ts';

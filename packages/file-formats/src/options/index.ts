export { findOptionError } from './find-option-error.ts';

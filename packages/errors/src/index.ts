export { errorCatalogue, errorNames, type ErrorName } from './catalogue.ts';
export { RedoubtError, type FieldError, type WireError } from './redoubt-error.ts';
export {
  badField,
  badRequest,
  conflict,
  forbidden,
  notFound,
  notImplemented,
  securityError,
  tooLarge,
  tooMany,
  unauthenticated,
} from './factories.ts';

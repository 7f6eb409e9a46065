export { errorCatalogue, errorNames, type ErrorName } from './catalogue.ts';
export { describeValue } from './describe-value.ts';
export {
  expectedMessage,
  unknownFieldMessage,
  type Mismatch,
  type UnknownField,
} from './expected-message.ts';
export {
  RedoubtError,
  type ErrorDetails,
  type ErrorPosition,
  type FieldError,
  type WireError,
} from './redoubt-error.ts';
export {
  badField,
  badRequest,
  conflict,
  forbidden,
  invalidField,
  notFound,
  notImplemented,
  securityError,
  tooLarge,
  tooMany,
  unauthenticated,
  unknownField,
} from './factories.ts';

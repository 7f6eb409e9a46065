export { ConfigError, readConfig, signUpRule, type SignUp } from './read-config.ts';
export { settings, type Config } from './settings.ts';
export { singleSignOnOf, type SingleSignOnSettings } from './single-sign-on.ts';
export { queryMemoryOf } from './machine-memory.ts';
export { toProtectionOptions } from './protection.ts';
export { stripeOf, type StripeSettings } from './stripe.ts';

export * from './core/fields.ts';
export * from './core/list.ts';
export * from './core/list-query.ts';
export { readFlags } from './core/read-flags.ts';
export * from './core/route.ts';
export * from './core/routes.ts';
export * from './records.ts';
export * from './system.ts';

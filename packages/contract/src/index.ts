export * from './core/fields.ts';
export * from './core/list.ts';
export * from './core/route.ts';
export * from './core/routes.ts';
export * from './system.ts';

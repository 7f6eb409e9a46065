export type { Icon } from './create-icon.ts';
export * from './icons.ts';

import { useSyncExternalStore } from 'react';

export const densities = ['compact', 'normal', 'tall'] as const;
export type Density = (typeof densities)[number];

/** How a person wants the console to look and behave in this browser. */
export interface Preferences {
  readonly density: Density;
  /** The name of a time zone, such as `Asia/Kolkata`; empty for the time zone of the browser. */
  readonly zone: string;
  /** Whether shortcuts without Control work. */
  readonly hasSingleKeys: boolean;
}

const storageKey = 'redoubt-preferences';
const version = 1;
const usual: Preferences = { density: 'normal', zone: '', hasSingleKeys: true };

export const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/**
 * Reads stored preferences. An earlier version or another program may have written them, so invalid ones are replaced
 * by defaults.
 */
export const parsePreferences = (stored: string | null): Preferences => {
  let fields: Partial<Record<keyof Preferences | 'version', unknown>> = {};
  try {
    const parsed: unknown = JSON.parse(stored ?? '{}');
    if (typeof parsed === 'object' && parsed !== null) fields = parsed;
  } catch {
    return usual;
  }
  if (fields.version !== version) return usual;
  return {
    density: densities.find((one) => one === fields.density) ?? usual.density,
    zone: typeof fields.zone === 'string' && isZone(fields.zone) ? fields.zone : usual.zone,
    hasSingleKeys: typeof fields.hasSingleKeys === 'boolean' ? fields.hasSingleKeys : usual.hasSingleKeys,
  };
};

const listeners = new Set<() => void>();
let current: Preferences | undefined;

export const currentPreferences = (): Preferences =>
  (current ??= parsePreferences(localStorage.getItem(storageKey)));

const tell = (): void => {
  for (const listener of listeners) listener();
};

export const changePreferences = (change: Partial<Preferences>): void => {
  current = { ...currentPreferences(), ...change };
  localStorage.setItem(storageKey, JSON.stringify({ version, ...current }));
  tell();
};

const readAgain = ({ key }: StorageEvent): void => {
  if (key !== storageKey && key !== null) return;
  current = undefined;
  tell();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  // Another window may change the preferences.
  if (listeners.size === 1) addEventListener('storage', readAgain);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', readAgain);
  };
};

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, currentPreferences);

import { useColorMode } from '@docusaurus/theme-common';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

type Choice = ReturnType<typeof useColorMode>['colorModeChoice'];

/**
 * Switches to the system's mode while the page is printed, and restores the chosen mode afterwards. Nothing is stored.
 * Browsers announce printing by events around the dialog or by a media query; either is sufficient.
 */
export function PrintedMode(): null {
  const { colorModeChoice, setColorMode } = useColorMode();
  const current = useRef({ colorModeChoice, setColorMode });
  const chosen = useRef<{ choice: Choice } | undefined>(undefined);
  useEffect(() => {
    current.current = { colorModeChoice, setColorMode };
  }, [colorModeChoice, setColorMode]);
  useEffect(() => {
    const paper = globalThis.matchMedia('print');
    const dark = globalThis.matchMedia('(prefers-color-scheme: dark)');
    // The browser captures the page as soon as the listener returns.
    const apply = (mode: Choice): void =>
      flushSync(() => {
        const { setColorMode } = current.current;
        // The option to skip storage is missing from the type.
        (setColorMode as (mode: Choice, options: { persist: boolean }) => void)(mode, { persist: false });
      });
    const begin = (): void => {
      chosen.current ??= { choice: current.current.colorModeChoice };
      apply(dark.matches ? 'dark' : 'light');
    };
    const end = (): void => {
      if (chosen.current) {
        apply(chosen.current.choice);
        chosen.current = undefined;
      }
    };
    const followMedium = (): void => (paper.matches ? begin() : end());
    const followSystem = (): void => {
      if (chosen.current) {
        begin();
      }
    };
    globalThis.addEventListener('beforeprint', begin);
    globalThis.addEventListener('afterprint', end);
    paper.addEventListener('change', followMedium);
    dark.addEventListener('change', followSystem);
    return () => {
      globalThis.removeEventListener('beforeprint', begin);
      globalThis.removeEventListener('afterprint', end);
      paper.removeEventListener('change', followMedium);
      dark.removeEventListener('change', followSystem);
    };
  }, []);
  return null;
}

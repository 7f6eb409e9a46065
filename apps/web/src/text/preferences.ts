/** The texts of the page of preferences. */
export const preferencesText = {
  title: 'Preferences',
  facts: 'Kept in this browser.',
  colours: 'Colours',
  schemes: { system: 'Same as the system', light: 'Light', dark: 'Dark' },
  density: 'Height of rows',
  densities: { compact: 'Compact, 28 px', normal: 'Normal, 36 px', tall: 'Tall, 52 px' },
  zone: 'Time zone',
  zoneOfBrowser: (zone: string) => `Same as the browser (${zone})`,
  zoneHint: (now: string) => `It is ${now}.`,
  keyboard: 'Keyboard',
  singleKeys: 'Single-key shortcuts, such as / and ?',
  singleKeysHint:
    'Turn them off if you type by voice, or if keys are pressed by accident. Ctrl K and other combinations stay.',
} as const;

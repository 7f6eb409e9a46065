import { curlSample } from './curl.ts';
import { pythonSample } from './python.ts';
import type { SampleCall } from './sample-call.ts';
import { typescriptSample } from './typescript.ts';

export { addressOf, pathOf, sampleCall, type SampleCall } from './sample-call.ts';

/** The languages of samples, in the order of their tabs. */
export const languages = [
  { id: 'curl', label: 'curl', highlight: 'bash' },
  { id: 'typescript', label: 'TypeScript', highlight: 'ts' },
  { id: 'python', label: 'Python', highlight: 'python' },
] as const;

export type Language = (typeof languages)[number]['id'];

/** The call in a language. */
export const sampleOf = (language: Language, call: SampleCall): string => {
  if (language === 'curl') return curlSample(call);
  return language === 'typescript' ? typescriptSample(call) : pythonSample(call);
};

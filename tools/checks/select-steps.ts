import { globSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { nearestTests } from './affected/nearest-tests.ts';
import { orderFiles } from './file-order.ts';
import type { RunOptions } from './run-options.ts';
import { steps, type Step, type TestStep } from './steps.ts';
import { filesOf } from './test-step.ts';

/** A step and the files that it runs, in their order. */
export interface SelectedStep {
  readonly step: Step;
  /** Empty for a command. */
  readonly files: string[];
}

/** The steps of a run: those of a short run by default. */
export function selectSteps({ isFull, only, files, changed, seed }: RunOptions): SelectedStep[] {
  const named = steps.filter(({ name }) => only?.includes(name) ?? true);
  if (changed !== undefined) return selectAffected(named, changed);
  const wanted = files === undefined ? undefined : new Set(globSync(files));
  return named.flatMap((step): SelectedStep[] => {
    if (!isFull && only === undefined && step.budget === undefined) return [];
    // With a glob of files, only the steps that contain some of them run.
    if (step.kind === 'command') return wanted === undefined ? [{ step, files: [] }] : [];
    const found = filesOf(step).filter((file) => wanted?.has(file) ?? (isFull || !isFullOnly(step, file)));
    if (wanted !== undefined && found.length === 0) return [];
    return [{ step, files: orderFiles(found, { long: step.long, seed: isFull ? seed : undefined }) }];
  });
}

/**
 * The tests of these steps that a change reaches, the nearest first. Of the steps of which a short run has only some
 * chosen files, it has these and those that changed.
 */
function selectAffected(named: readonly Step[], changed: readonly string[]): SelectedStep[] {
  const candidates = named.map((step) => ({ step, files: new Set(candidatesOf(step, changed)) }));
  const nearest = nearestTests(changed, [...new Set(candidates.flatMap(({ files }) => [...files]))]);
  return candidates
    .map(({ step, files }) => ({ step, files: nearest.filter((file) => files.has(file)) }))
    .filter(({ step, files }) => (step.kind === 'command' ? step.budget !== undefined : files.length > 0));
}

function candidatesOf(step: Step, changed: readonly string[]): string[] {
  if (step.kind === 'command') return [];
  const isChosen = (file: string): boolean =>
    step.budget !== undefined && (step.shortToo === undefined || !isFullOnly(step, file));
  return filesOf(step).filter((file) => changed.includes(file) || isChosen(file));
}

function isFullOnly({ fullOnly = [], shortToo = [] }: TestStep, file: string): boolean {
  const matches = (globs: readonly string[]): boolean => globs.some((glob) => matchesGlob(file, glob));
  return matches(fullOnly) && !matches(shortToo);
}

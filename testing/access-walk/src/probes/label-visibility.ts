import type { labelVisibilityRoutes } from '@redoubt/contract';
import { standing, type Probe } from '../probe.ts';

export const labelVisibilityProbes: Record<keyof typeof labelVisibilityRoutes, Probe> = {
  getLabelVisibility: standing(() => ({ request: { body: { labels: ['', 'ALPHA'] } } })),
};

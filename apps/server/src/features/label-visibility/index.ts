import { routes } from '@redoubt/contract';
import { bindMember, type RouteBinding } from '../../platform/http/binding.ts';
import { createLabelVisibilityService } from './label-visibility.service.ts';

/** Wires the call that says, before records are written, who could see a record with a given label. */
export const wireLabelVisibility = (
  deps: Parameters<typeof createLabelVisibilityService>[0],
): { bindings: RouteBinding[] } => {
  const service = createLabelVisibilityService(deps);
  return {
    bindings: [bindMember(routes.getLabelVisibility, ({ actor, body }) => service.get(actor, body))],
  };
};

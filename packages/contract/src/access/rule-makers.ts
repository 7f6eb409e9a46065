import type { AccessRule, ActorClass } from './access-rule.ts';

export const all: AccessRule = { may: ['everyone'] };
/** Reading one object, which is visible only to those who may read it. */
export const readOne = (...sees: ActorClass[]): AccessRule => ({ may: sees, sees });
/** A list, which everyone may request: it contains only the entries that are visible to the requester. */
export const list = (...sees: ActorClass[]): AccessRule => ({ may: ['everyone'], sees });
export const only = (...may: ActorClass[]): AccessRule => ({ may });
export const withNote = (rule: AccessRule, note: string): AccessRule => ({ ...rule, note });

export const managers = (code: ActorClass): ActorClass[] => ['admin', code];

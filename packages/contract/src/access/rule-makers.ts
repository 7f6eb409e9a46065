import type { AccessRule, ActorClass } from './access-rule.ts';

export const all: AccessRule = { may: ['everyone'] };
/** Reading one object, which is visible only to those who may read it. */
export const readOne = (...sees: ActorClass[]): AccessRule => ({ may: sees, sees });
/** A list, which everyone may request: it contains only the entries that are visible to the requester. */
export const list = (...sees: ActorClass[]): AccessRule => ({ may: ['everyone'], sees });
export const only = (...may: ActorClass[]): AccessRule => ({ may });
export const withNote = (rule: AccessRule, note: string): AccessRule => ({ ...rule, note });

export const managers = (code: ActorClass): ActorClass[] => ['admin', code];

/** A call on a dataset: people with only other rights on it get 403, and people without any right get 404. */
export const dataset = (right: ActorClass, note?: string): AccessRule => ({
  may: [right],
  sees: ['any-right'],
  ...(note === undefined ? {} : { note }),
});

export const ofIngest =
  'Replacing records (writeMode replace or upsert) also needs read. Labels on columns need manage.';

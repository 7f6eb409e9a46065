import { Type, type Static } from 'typebox';

/** The role of a person in a workspace. */
export const WorkspaceRole = Type.Enum(['member', 'admin']);
export type WorkspaceRole = Static<typeof WorkspaceRole>;

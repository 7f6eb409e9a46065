import type { ConnectionCreate } from '@redoubt/contract';
import { restrictions, type Allowed, type SourceTypeName } from '../../parts/sources/stored-connection.ts';
import { labelProblem } from '../../parts/labels/label-problem.ts';
import {
  findProblems,
  linesOf,
  toStoredInfo,
  type SourceProblems,
} from '../../parts/sources/connection-info.ts';
import { sourceForms, type SourceKind, type SourceValues } from '../../parts/sources/source-kinds.ts';
import { connectionsText as texts } from '../../text/connections.ts';

/** A connection as it is typed. */
export interface ConnectionDraft {
  readonly name: string;
  readonly kind: SourceKind;
  readonly values: SourceValues;
  /** What may be read, one entry a line. */
  readonly allowed: string;
  readonly minimumLabel: string;
}

export const newConnectionDraft: ConnectionDraft = {
  name: '',
  kind: 'S3',
  values: {},
  allowed: '',
  minimumLabel: '',
};

/** Converts lines to what may be read; null for everything. */
export const toAllowed = (type: SourceTypeName, lines: string): Allowed | null => {
  const name = restrictions[type];
  const entries = linesOf(lines);
  return name === undefined || entries.length === 0 ? null : { [name]: entries };
};

export interface ConnectionProblems {
  name?: string;
  allowed?: string;
  fields: SourceProblems;
  /** Whether nothing can be sent yet. */
  isBlocked: boolean;
}

/** What is missing or has a wrong form. */
export const findConnectionProblems = ({
  name,
  kind,
  values,
  allowed,
  minimumLabel,
}: ConnectionDraft): ConnectionProblems => {
  const fields = findProblems(kind, values, ['connection']);
  const ofName = name.trim() === '' ? { name: texts.typeName } : {};
  const ofAllowed = kind === 'URL' && linesOf(allowed).length === 0 ? { allowed: texts.typePrefixes } : {};
  const hasLabelProblem = minimumLabel !== '' && labelProblem(minimumLabel) !== undefined;
  const isBlocked =
    hasLabelProblem || Object.keys(fields).length > 0 || Object.keys({ ...ofName, ...ofAllowed }).length > 0;
  return { ...ofName, ...ofAllowed, fields, isBlocked };
};

export const toConnection = (workspaceId: string, draft: ConnectionDraft): ConnectionCreate => {
  const { type } = sourceForms[draft.kind];
  return {
    workspaceId,
    name: draft.name.trim(),
    type,
    connectionInfo: toStoredInfo(draft.kind, draft.values),
    allowed: toAllowed(type, draft.allowed),
    minimumLabel: draft.minimumLabel === '' ? null : draft.minimumLabel,
  };
};

export { accessRules, findAccessRule } from './access-rules.ts';
export {
  datasetRights,
  evaluateRule,
  fullRights,
  describeRule,
  describeAllowedActors,
  type AccessRule,
  type ActorClass,
  type ObjectRelation,
  type Privilege,
} from './access-rule.ts';
export { expectedStatus, actorKinds, type ExpectedStatus, type ActorKind } from './actor-kinds.ts';

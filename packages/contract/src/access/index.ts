export { accessRules, ruleOf } from './table.ts';
export {
  datasetRights,
  decide,
  fullRights,
  ruleText,
  whoMay,
  type AccessRule,
  type Power,
  type Relation,
  type Standing,
} from './rule.ts';
export { outcomeOf, subjects, type Outcome, type Subject } from './subjects.ts';

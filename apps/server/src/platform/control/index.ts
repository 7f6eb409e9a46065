export { askServer, openControl, type Control, type ControlCommands } from './control.ts';
export { isClear, OperatorError } from './operator-error.ts';

export { askServer, checkSocketPath, openControl, type ControlCommands } from './control.ts';
export { isClear, OperatorError } from './operator-error.ts';

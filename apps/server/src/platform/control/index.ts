export {
  sendCommand,
  checkSocketPath,
  openControl,
  type ControlCommands,
} from './control-socket.ts';
export { isOperatorFacing, OperatorError } from './operator-error.ts';

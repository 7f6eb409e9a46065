export { createAccessMakers } from './access.ts';
export { applicationToken } from './application-token.ts';
export { providerConfig } from './identity-provider.ts';
export { addMember, createWorkspace, signInRequest, signUp, type Person } from './people.ts';
export { uploadRequest } from './upload-request.ts';
export {
  as,
  bodyOf,
  done,
  query,
  type WireResponse,
  type SendToBoth,
  type Request,
  type Send,
  type Worlds,
} from './requests.ts';

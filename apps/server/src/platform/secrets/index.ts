export { createSecretBox, UnsealError, sealedLocation, secretKeyOf, type SecretBox } from './secret-box.ts';
export { openSecretKeys, type SecretKeys } from './secret-keys.ts';
export { rotateSecrets } from './rotation.ts';
export { sealedColumns } from './sealed-columns.ts';

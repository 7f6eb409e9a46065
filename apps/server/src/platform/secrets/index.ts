export { createSecretBox, SealError, sealedPlace, secretKeyOf, type SecretBox } from './secret-box.ts';
export { openSecretKeys, type SecretKeys } from './secret-keys.ts';
export { rotateSecrets, type Rotation } from './rotation.ts';
export { sealedColumns, type SealedColumn } from './sealed-columns.ts';

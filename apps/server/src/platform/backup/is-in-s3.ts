/** Whether a backup location is in an S3 service, rather than a folder. */
export const isInS3 = (place: string): boolean => place.startsWith('s3:');

import type { PageScan } from '@redoubt/file-formats';

/** A gray image in the format PGM, which has nothing that a decoder could misread. */
export const toPgm = ({ width, height, gray }: PageScan): Buffer =>
  Buffer.concat([Buffer.from(`P5\n${String(width)} ${String(height)}\n255\n`), gray]);

import useBaseUrl from '@docusaurus/useBaseUrl';
import ThemedImage from '@theme/ThemedImage';
import type { ReactNode } from 'react';
import styles from './console-picture.module.css';

interface ConsolePictureProps {
  /** The path of both files without their endings, such as `/img/console/records`. */
  readonly path: string;
  readonly alt: string;
}

/** A picture of the console, light or dark like the page. */
export function ConsolePicture({ path, alt }: ConsolePictureProps): ReactNode {
  const light = useBaseUrl(`${path}-light.webp`);
  const dark = useBaseUrl(`${path}-dark.webp`);
  return (
    <ThemedImage
      className={styles.picture ?? ''}
      sources={{ light, dark }}
      alt={alt}
      width={1536}
      height={960}
      loading="lazy"
      decoding="async"
    />
  );
}

import { createStorageSlot, useThemeConfig } from '@docusaurus/theme-common';
import Original from '@theme-original/AnnouncementBar';
import { useEffect, type ReactNode } from 'react';

/**
 * The bar, which a new announcement brings back at once. Before React runs, a script marks the page of a reader who has dismissed a bar,
 * without looking at the id; the mark hides the bar of this visit, though the dismissal was of another.
 */
export default function AnnouncementBar(): ReactNode {
  const { announcementBar } = useThemeConfig();
  const id = announcementBar?.id;
  useEffect(() => {
    // The provider around this component stores the new id after this effect.
    if (id !== undefined && createStorageSlot('docusaurus.announcement.id').get() !== id) {
      document.documentElement.dataset['announcementBarInitiallyDismissed'] = 'false';
    }
  }, [id]);
  return <Original />;
}

import { createStorageSlot, useThemeConfig } from '@docusaurus/theme-common';
import Original from '@theme-original/AnnouncementBar';
import { useEffect, type ReactNode } from 'react';

/**
 * The announcement bar. Before React runs, a script of the theme marks the document if the reader has ever dismissed an
 * announcement, whatever its id, and the mark hides the bar. This component removes the mark if the announcement is a
 * new one.
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

/** The texts of receipts with more files than fit on a page. */
export const receiptText = {
  showMore: 'Show more files',
  filesShown: (shown: string, all: string) => `${shown} of ${all} files`,
} as const;

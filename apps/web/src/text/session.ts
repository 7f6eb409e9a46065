/** The texts of the pages for people who are not in a workspace yet. */
export const sessionText = {
  expired: 'Your session is over. Sign in to go on; drafts of SQL are kept.',
} as const;

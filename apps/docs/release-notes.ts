/** A page of notes about the API line: the end of its address, its title, and the month or day that it is about. */
export interface ReleaseNote {
  readonly slug: string;
  readonly title: string;
  /** As ISO 8601: `2022-11` or `2024-06-11`. */
  readonly date: string;
}

/** The pages under `/docs/release-notes/`, one a month. */
export const releaseNotes: readonly ReleaseNote[] = [
  { slug: 'november-2022', title: 'November 2022', date: '2022-11' },
  { slug: 'december-2022', title: 'December 2022', date: '2022-12' },
  { slug: 'january-2023', title: 'January 2023', date: '2023-01' },
  { slug: 'february-2023', title: 'February 2023', date: '2023-02' },
  { slug: 'march-2023', title: 'March 2023', date: '2023-03' },
  { slug: 'april-2023', title: 'April 2023', date: '2023-04' },
  { slug: 'may-2023', title: 'May 2023', date: '2023-05' },
  { slug: 'june-2023', title: 'June 2023', date: '2023-06' },
  { slug: 'july-2023', title: 'July 2023', date: '2023-07' },
  { slug: 'august-2023', title: 'August 2023', date: '2023-08' },
  { slug: 'september-2023', title: 'September 2023', date: '2023-09' },
  { slug: 'october-2023', title: 'October 2023', date: '2023-10' },
  { slug: 'november-2023', title: 'November 2023', date: '2023-11' },
  { slug: 'december-2023', title: 'December 2023', date: '2023-12' },
];

/** The pages under `/docs/internal-release-notes/`: the two versions that the specification names. */
export const internalReleaseNotes: readonly ReleaseNote[] = [
  { slug: '5.2.0', title: 'Version 5.2.0', date: '2024-06-11' },
  { slug: '6.1.2', title: 'Version 6.1.2', date: '2025-06-03' },
];

/**
 * How thorough a run is: reliable measurements need many repetitions, long spans and idle machines; a functional test
 * does not.
 */
export interface Pace {
  /** The number of repetitions: `count` for a reliable measurement, `least` for a functional test. */
  times(count: number, least?: number): number;
  /** The length of a measurement that needs this many milliseconds to be reliable. */
  span(milliseconds: number): number;
  /** Whether a measurement first waits until the measured processes are idle. */
  waitsForIdle: boolean;
}

export const fullPace: Pace = {
  times: (count) => count,
  span: (milliseconds) => milliseconds,
  waitsForIdle: true,
};

/** Few repetitions and short spans: the measurements are meaningless. */
export const quickPace: Pace = {
  times: (count, least = 2) => Math.min(count, least),
  span: (milliseconds) => milliseconds / 50,
  waitsForIdle: false,
};

/**
 * How thorough a run is. Reliable measurements need many repetitions, long time spans and an idle machine. A test that
 * only checks that the benchmark works needs none of these.
 */
export interface Pace {
  /** Returns the number of repetitions: `count` for a reliable measurement, at most `least` (default 2) for a test. */
  times(count: number, least?: number): number;
  /** Returns the milliseconds of a measurement that needs `milliseconds` to be reliable. */
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

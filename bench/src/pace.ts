/** How thorough a run is: figures need many repetitions, long spans and idle machines; going through all parts needs none of them. */
export interface Pace {
  /** How often to do something of which this many steady a figure; `least` are needed to go through all of it. */
  times(count: number, least?: number): number;
  /** Milliseconds of a span of which this many steady a figure. */
  span(milliseconds: number): number;
  /** Whether a measurement waits until the processes before it have nothing left to do. */
  waitsForIdle: boolean;
}

export const fullPace: Pace = {
  times: (count) => count,
  span: (milliseconds) => milliseconds,
  waitsForIdle: true,
};

/** Few repetitions and short spans: the figures mean nothing. */
export const quickPace: Pace = {
  times: (count, least = 2) => Math.min(count, least),
  span: (milliseconds) => milliseconds / 50,
  waitsForIdle: false,
};

/** One media range of the header Accept. */
export interface MediaRange {
  /** In lower case, without parameters: `text/html`, `text/*` or any other text that was sent. */
  type: string;
  /** From 0 (not acceptable) to 1. A weight that is not valid counts as 0. */
  weight: number;
}

/** The media ranges of the header Accept, in their order (RFC 9110, 12.5.1). */
export const parseAccept = (accept: string): MediaRange[] =>
  accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    return { type, weight: weight >= 0 && weight <= 1 ? weight : 0 };
  });

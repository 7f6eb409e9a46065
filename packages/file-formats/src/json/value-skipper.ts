/** Finds the end of an object or list across several chunks by its brackets and quotes, without keeping any of them. */
export interface ValueSkipper {
  start(): void;
  /** The offset after the value's end; undefined if the chunk does not contain it. */
  find(text: string): number | undefined;
}

export function createValueSkipper(): ValueSkipper {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  return {
    start() {
      depth = 0;
      isText = false;
      isEscaped = false;
    },
    find(text) {
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (isEscaped) isEscaped = false;
        else if (isText) {
          if (code === 0x5c) isEscaped = true;
          else if (code === 0x22) isText = false;
          if (!isText && depth === 0) return at + 1;
        } else if (code === 0x22) isText = true;
        else if (code === 0x7b || code === 0x5b) depth++;
        else if ((code === 0x7d || code === 0x5d) && --depth <= 0) return at + 1;
      }
      return undefined;
    },
  };
}

import type { PDFiumPage } from '@hyzyla/pdfium';

/** A word on the picture of a page. */
export interface PageWord {
  text: string;
  /** Left, top, width and height in pixels of the picture. */
  box: [number, number, number, number];
}

/** Maximum number of characters of a page whose words are returned. */
const maxCharacters = 200_000;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The words of the text of a page, in its order. @param picture the size of the picture of the page, in pixels */
export function wordsOfPage(page: PDFiumPage, picture: { width: number; height: number }): PageWord[] {
  const { module, pageIdx } = { module: page['module'], pageIdx: page['pageIdx'] };
  const textPage = module['_FPDFText_LoadPage'](pageIdx);
  if (textPage === 0) return [];
  const extended = module as unknown as TextModule;
  const memory = module.wasmExports.malloc(24);
  try {
    const words: PageWord[] = [];
    let text = '';
    let around: Box | undefined;
    const end = (): void => {
      if (text !== '' && around !== undefined) words.push({ text, box: toBox(around) });
      text = '';
      around = undefined;
    };
    const count = Math.min(maxCharacters, module['_FPDFText_CountChars'](textPage));
    for (let index = 0; index < count; index++) {
      const code = extended['_FPDFText_GetUnicode'](textPage, index);
      const character = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
      if (character.trim() === '') {
        end();
        continue;
      }
      const box = boxOf(extended, textPage, index, { memory, pageIdx, picture });
      if (box === undefined) continue;
      text += character;
      around = around === undefined ? box : union(around, box);
    }
    end();
    return words;
  } finally {
    module.wasmExports.free(memory);
    module['_FPDFText_ClosePage'](textPage);
  }
}

/** Functions of PDFium that the types of the library lack. */
interface TextModule {
  readonly HEAP32: Int32Array;
  readonly HEAPF32: Float32Array;
  _FPDFText_GetUnicode(textPage: number, index: number): number;
  _FPDFText_GetLooseCharBox(textPage: number, index: number, rect: number): number;
  _FPDF_PageToDevice(
    page: number,
    startX: number,
    startY: number,
    sizeX: number,
    sizeY: number,
    rotate: number,
    pageX: number,
    pageY: number,
    deviceX: number,
    deviceY: number,
  ): number;
}

/** The box of a character in pixels of the picture. */
function boxOf(
  module: TextModule,
  textPage: number,
  index: number,
  {
    memory,
    pageIdx,
    picture,
  }: { memory: number; pageIdx: number; picture: { width: number; height: number } },
): Box | undefined {
  if (module['_FPDFText_GetLooseCharBox'](textPage, index, memory) === 0) return undefined;
  // The structure is left, top, right, bottom in points.
  const [left = 0, top = 0, right = 0, bottom = 0] = module.HEAPF32.slice(memory / 4, memory / 4 + 4);
  const corner = (x: number, y: number): [number, number] => {
    const at = memory + 16;
    module['_FPDF_PageToDevice'](pageIdx, 0, 0, picture.width, picture.height, 0, x, y, at, at + 4);
    return [module.HEAP32[at / 4] ?? 0, module.HEAP32[at / 4 + 1] ?? 0];
  };
  const [x1, y1] = corner(left, top);
  const [x2, y2] = corner(right, bottom);
  return { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
}

const union = (a: Box, b: Box): Box => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

const toBox = ({ left, top, right, bottom }: Box): [number, number, number, number] => [
  left,
  top,
  right - left,
  bottom - top,
];

/** A PDF with a page that shows one word. It has no table of its objects, which readers find without. */
export const onePagePdf = [
  '%PDF-1.4',
  '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
  '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
  '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 120 60] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>> endobj',
  '4 0 obj <</Length 38>> stream',
  'BT /F 12 Tf 20 20 Td (Runway) Tj ET   ',
  'endstream endobj',
  '5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj',
  'trailer <</Root 1 0 R>>',
].join('\n');

/** Paragraphs on the page of a PDF: Latin letters in Helvetica, Chinese and Japanese characters as wide as the size. */
import { helveticaWidths } from './helvetica-widths.ts';
import { pageHeight, toUtf16 } from './pdf-file.ts';

/** Letters of Windows-1252 at 128 to 159; a blank has none. */
const windowsLetters = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/u;
const splitWide = new RegExp(`(${wide.source})`, 'u');

/** Returns the code in Windows-1252; null: it has no such character. */
function toWindows(character: string): number | null {
  const code = character.codePointAt(0) ?? 0;
  if ((code >= 32 && code < 127) || (code >= 160 && code < 256)) return code;
  const place = code < 256 ? -1 : windowsLetters.indexOf(character);
  return place === -1 ? null : 128 + place;
}

/** Whether a letter can have the text: in other scripts it would be wrong without notice. */
export const isPrintable = (text: string): boolean =>
  [...text.normalize('NFC')].every((each) => each === '\n' || wide.test(each) || toWindows(each) !== null);

export interface TextStyle {
  size: number;
  isBold?: boolean;
}

const widthOf = (piece: string, { size, isBold = false }: TextStyle): number => {
  if (wide.test(piece)) return size;
  const widths = helveticaWidths[isBold ? 'bold' : 'regular'];
  return [...piece].reduce((sum, each) => sum + (widths[(toWindows(each) ?? 32) - 32] ?? 0) * (size / 1_000), 0);
};

/** A line may break after them: words with their space, and each wide character. */
const piecesOf = (line: string): string[] =>
  (line.normalize('NFC').match(/\S+\s*/gu) ?? []).flatMap((word) =>
    word.split(splitWide).filter((part) => part !== ''),
  );

const lineHeight = 1.45;
/** Height of capital letters: the first line of a paragraph stands by its top. */
const ascent = 0.718;

/** Places a paragraph within the width; `next` is the top of what follows. Coordinates are from the top of the page. */
export function placeText(
  text: string,
  { x, y, width }: { x: number; y: number; width: number },
  style: TextStyle,
): { operators: string; next: number } {
  const step = style.size * lineHeight;
  const drawn: string[] = [];
  let top = y;
  for (const line of text.split('\n')) {
    let left = x;
    for (const piece of piecesOf(line)) {
      if (left > x && left + widthOf(piece.trimEnd(), style) > x + width) [left, top] = [x, top + step];
      drawn.push(drawPiece(piece, left, top + style.size * ascent, style));
      left += widthOf(piece, style);
    }
    top += step;
  }
  return { operators: drawn.join('\n'), next: top };
}

function drawPiece(piece: string, x: number, baseline: number, { size, isBold }: TextStyle): string {
  const at = `1 0 0 1 ${x.toFixed(2)} ${(pageHeight - baseline).toFixed(2)} Tm`;
  if (wide.test(piece)) return `BT /F3 ${size} Tf ${at} <${toUtf16(piece)}> Tj ET`;
  const codes = Buffer.from([...piece].map((each) => toWindows(each) ?? 32)).toString('latin1');
  return `BT /${isBold ? 'F2' : 'F1'} ${size} Tf ${at} (${codes.replaceAll(/[\\()]/g, '\\$&')}) Tj ET`;
}

export const drawLine = (x: number, y: number, width: number): string =>
  `0.7 w ${x} ${(pageHeight - y).toFixed(2)} m ${x + width} ${(pageHeight - y).toFixed(2)} l S`;

import { fontSans, type Palette } from '../../ui/theme/tokens.ts';

export interface PngName {
  name: string;
  color: string;
}

interface PngCaption {
  title: string;
  range: string;
  rtl: boolean;
  /** Of the colours, below the range. */
  names: readonly PngName[];
}

/** Room for the title and the range, and around the picture. */
const [head, edge] = [64, 20];
/** Height of a line of names, and the room around a swatch. */
const [nameHeight, swatch, gap] = [20, 10, 16];
const nameFont = `12px ${fontSans}`;

/** Returns the chart as a standalone file: with its title, its range and a margin. */
export async function pngOf(
  picture: HTMLCanvasElement,
  { title, range, rtl, names }: PngCaption,
  palette: Palette,
  pixelRatio: number,
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = picture.width + 2 * edge * pixelRatio;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas to draw on');
  pen.font = nameFont;
  const placed = placeNames(names, canvas.width / pixelRatio - 2 * edge, (text) => pen.measureText(text).width);
  const top = head + (placed.at(-1)?.line ?? -1) * nameHeight + nameHeight;
  canvas.height = picture.height + (top + edge) * pixelRatio;
  pen.fillStyle = palette.surface;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, edge * pixelRatio, top * pixelRatio);
  pen.scale(pixelRatio, pixelRatio);
  pen.direction = rtl ? 'rtl' : 'ltr';
  pen.textAlign = 'start';
  const from = rtl ? canvas.width / pixelRatio - edge : edge;
  // Text wider than the chart is condensed, not cut off.
  const room = canvas.width / pixelRatio - 2 * edge;
  pen.fillStyle = palette.ink;
  pen.font = `600 16px ${fontSans}`;
  pen.fillText(title, from, 30, room);
  pen.fillStyle = palette.ink3;
  pen.font = `12px ${fontSans}`;
  pen.fillText(range, from, 50, room);
  pen.font = nameFont;
  for (const { name, color, line, at } of placed) {
    const [x, y] = [rtl ? from - at : from + at, head + line * nameHeight + 4];
    pen.fillStyle = color;
    pen.fillRect(rtl ? x - swatch : x, y - 9, swatch, swatch);
    pen.fillStyle = palette.ink2;
    pen.fillText(name, rtl ? x - swatch - 6 : x + swatch + 6, y);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no png of the canvas'))), 'image/png');
  });
}

/** Returns the line of each name, and how far from its beginning. */
export function placeNames(
  names: readonly PngName[],
  room: number,
  widthOf: (text: string) => number,
): (PngName & { line: number; at: number })[] {
  let [line, at] = [0, 0];
  return names.map((each) => {
    const width = swatch + 6 + widthOf(each.name);
    if (at > 0 && at + width > room) [line, at] = [line + 1, 0];
    const placed = { ...each, line, at };
    at += width + gap;
    return placed;
  });
}

import { fontSans, type Palette } from '../../ui/theme/tokens.ts';

interface PngCaption {
  title: string;
  range: string;
  rtl: boolean;
}

/** Room for the title and the range, and around the picture. */
const [head, edge] = [64, 20];

/** Returns the chart as a standalone file: with its title, its range and a margin. */
export async function pngOf(
  picture: HTMLCanvasElement,
  { title, range, rtl }: PngCaption,
  palette: Palette,
  pixelRatio: number,
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = picture.width + 2 * edge * pixelRatio;
  canvas.height = picture.height + (head + edge) * pixelRatio;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('no canvas to draw on');
  pen.fillStyle = palette.surface;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, edge * pixelRatio, head * pixelRatio);
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
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no png of the canvas'))), 'image/png');
  });
}

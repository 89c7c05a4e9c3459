/**
 * Generates icons from `icon.svg` for browsers without SVG support: `favicon.ico` for default requests, and
 * `apple-touch-icon.png` for a phone's home screen, which rounds the corners itself. `node e2e/src/make-icons.ts`
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { launchBrowser } from './browser.ts';

const folder = path.resolve(import.meta.dirname, '../../apps/console/public');
const svg = readFileSync(path.join(folder, 'icon.svg'), 'utf8');
const square = svg.replace(/ rx="[\d.]+"/, '');
const browser = await launchBrowser();

async function draw(source: string, pixels: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: pixels, height: pixels } });
  await page.setContent(
    `<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${source}`,
  );
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}

/** An ICO file of PNGs: a head of 6 bytes, 16 for each picture, then the pictures. */
function packIco(pictures: readonly { pixels: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let place = head.length;
  for (const [index, { pixels, png }] of pictures.entries()) {
    const entry = 6 + 16 * index;
    head.writeUInt8(pixels, entry);
    head.writeUInt8(pixels, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(place, entry + 12);
    place += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}

const sizes = await Promise.all([16, 32, 48].map(async (pixels) => ({ pixels, png: await draw(svg, pixels) })));
writeFileSync(path.join(folder, 'favicon.ico'), packIco(sizes));
writeFileSync(path.join(folder, 'apple-touch-icon.png'), await draw(square, 180));
await browser.close();

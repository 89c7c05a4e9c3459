/** PNG (ISO/IEC 15948) of 8 bits a channel, without anything that pictures of ours do not need. */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const deflated = promisify(deflate);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Each line as its difference to the one above (filter 2): grain two lines high costs one. */
const filterUp = 2;

/** @param pixels 3 (RGB) or 4 (RGBA) bytes each, line by line. */
export async function encodePng(
  width: number,
  height: number,
  pixels: Uint8Array | Uint8ClampedArray,
): Promise<Buffer> {
  const channels = pixels.length / (width * height);
  if (channels !== 3 && channels !== 4) throw new RangeError(`${channels} channels`);
  const stride = width * channels;
  const lines = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    const to = y * (stride + 1);
    lines[to] = filterUp;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      lines[to + 1 + x] = pixels[at]! - (y === 0 ? 0 : pixels[at - stride]!);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, channels === 3 ? 2 : 6, 0, 0, 0], 8);
  const body = await deflated(lines, { level: 6 });
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', body), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

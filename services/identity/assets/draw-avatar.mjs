// Draws avatar.png, the default photo of users: `node services/identity/assets/draw-avatar.mjs`.
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

const SIZE = 192;
/** Samples per pixel and direction, for smooth edges. */
const FINE = 4;
const BACKGROUND = [0xd9, 0xde, 0xe6];
const PERSON = [0x8a, 0x95, 0xa8];

/** On a square of 96 x 96: a head, and shoulders cut off by the lower edge. */
const isPerson = (x, y) =>
  (x - 48) ** 2 + (y - 37) ** 2 <= 17 ** 2 || (((x - 48) / 34) ** 2 + ((y - 90) / 31) ** 2 <= 1 && y <= 90);

function coverage(column, row) {
  let inside = 0;
  for (let i = 0; i < FINE * FINE; i += 1) {
    const x = column + ((i % FINE) + 0.5) / FINE;
    const y = row + (Math.floor(i / FINE) + 0.5) / FINE;
    if (isPerson((x * 96) / SIZE, (y * 96) / SIZE)) inside += 1;
  }
  return inside / FINE ** 2;
}

/** The shades between background and person: a palette keeps the file small. */
const palette = Buffer.from(
  Array.from({ length: FINE ** 2 + 1 }, (_, shade) =>
    BACKGROUND.map((value, channel) => Math.round(value + ((PERSON[channel] - value) * shade) / FINE ** 2)),
  ).flat(),
);
const line = (row) => [0, ...Array.from({ length: SIZE }, (_, column) => coverage(column, row) * FINE ** 2)];
const pixels = Buffer.from(Array.from({ length: SIZE }, (_, row) => line(row)).flat());

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE, 0);
header.writeUInt32BE(SIZE, 4);
// Eight bits per pixel: an index into the palette.
header.set([8, 3, 0, 0, 0], 8);

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  chunk('IHDR', header),
  chunk('PLTE', palette),
  chunk('IDAT', deflateSync(pixels, { level: 9 })),
  chunk('IEND', Buffer.alloc(0)),
]);
writeFileSync(new URL('avatar.png', import.meta.url), png);

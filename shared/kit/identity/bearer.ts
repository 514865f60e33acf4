import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const FORM = /^(\d{1,15})\|([A-Za-z0-9]{40})([0-9a-f]{8})$/;

const checksum = (characters: string) => crc32(characters).toString(16).padStart(8, '0');

/** The secret: 40 letters and digits and their CRC-32, by which scanners recognize leaked tokens. */
export const secretOf = (characters: string) => characters + checksum(characters);

/** A new random secret. */
export const newSecret = () =>
  secretOf(Array.from({ length: 40 }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''));

/** `<id>|<secret>`: the bearer token that the client gets once. */
export const bearer = (id: number, secret: string) => `${id}|${secret}`;

/** The parts of a bearer token; undefined when its form or checksum is wrong. Needs no query. */
export function parseBearer(text: string): { id: number; secret: string } | undefined {
  const [, id, characters, sum] = FORM.exec(text) ?? [];
  if (!id || !characters || sum !== checksum(characters)) return undefined;
  return { id: Number(id), secret: secretOf(characters) };
}

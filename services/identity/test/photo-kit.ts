import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { IDENTITY_HEADER } from '@tutoring/shared/kit/identity/auth';
import { filesFolder, infra } from '@tutoring/shared/testing/infra';
import { upload, type UploadOptions } from '@tutoring/shared/testing/upload';
import sharp from 'sharp';
import { startIdentity, type TestIdentity } from './identity.ts';
import { serve } from './issuer.ts';

export type User = Awaited<ReturnType<TestIdentity['user']>>;
export const DEFAULT = 'http://public.test/api/assets/avatar.png';

/** Identity with its own folder for files. */
export async function startPhotos() {
  const folder = join(filesFolder(infra().run), `photos-${randomBytes(4).toString('hex')}`);
  // Wallet and calls, which are asked before an account is deleted.
  const others = await serve(({ pathname }) => ({
    body: pathname.endsWith('/live-call') ? { live: false } : { balance: 0, open_withdrawals: 0 },
  }));
  const peers = { CALLS_URL: others.url, WALLET_URL: others.url };
  const service = await startIdentity({ FILES_URL: `file://${folder}`, ...peers });
  const signed = (user: User) => ({ [IDENTITY_HEADER]: service.signer.sign(user.caller) });
  return {
    service,
    folder,
    signed,
    post: (user: User, bytes: Uint8Array, options: UploadOptions = {}) =>
      upload(`${service.url}/api/me/photo`, bytes, { ...options, headers: signed(user) }),
    /** The path of a public link in the service itself. */
    local: (link: string) => link.replace('http://public.test', service.url),
    clean: () => service.runJob('photos'),
    /** Every file in the store, drafts included. */
    stored: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    end: async () => {
      await service.end();
      await others.close();
    },
  };
}

/** A JPEG, left half red, right half blue, stored rotated, with a location and a name in its metadata. */
export const sideways = () =>
  sharp({ create: { width: 600, height: 800, channels: 3, background: '#f00' } })
    .composite([{ input: { create: { width: 600, height: 400, channels: 3, background: '#00f' } }, left: 0, top: 0 }])
    .withExif({ IFD0: { Artist: 'secret name' }, IFD3: { GPSLatitude: '6/1 8/1 0/1', GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

/** An SVG that starts like an AVIF; libvips recognises the SVG. */
export const DISGUISED_SVG = Buffer.from(
  '<!--ftypavif--><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
);

/** A valid PNG of a few bytes that unpacks to `side` x `side` pixels. */
export function bomb(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

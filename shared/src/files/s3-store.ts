import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { STORE_CONNECT_MS, STORE_SILENCE_MS } from '../process/deadlines.ts';
import type { FilesConfig } from './config.ts';
import type { FileStore } from './store.ts';

type S3At = Extract<FilesConfig['FILES_URL'], { kind: 's3' }>;

/** The store's message goes into our own log, as the cause of a refusal. */
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

const isMissing = (error: unknown) => ['NoSuchKey', 'NotFound'].includes((error as Error).name);

/** Files in a bucket of an S3-compatible store. The SDK is loaded at the first use. */
export function createS3Store(at: S3At, key: { accessKeyId: string; secretAccessKey: string } | undefined): FileStore {
  const load = async () => {
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      region: at.region,
      forcePathStyle: at.pathStyle,
      logger: SILENT,
      // Stores other than Amazon's often do not know trailing checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: STORE_CONNECT_MS, socketTimeout: STORE_SILENCE_MS },
      ...(at.endpoint !== undefined && { endpoint: at.endpoint }),
      ...(key && { credentials: key }),
    });
    return { sdk, client };
  };
  let loaded: ReturnType<typeof load> | undefined;
  const s3 = () => (loaded ??= load());
  const place = (name: string) => ({ Bucket: at.bucket, Key: `${at.prefix}${name}` });

  return {
    async put(name, path) {
      const { sdk, client } = await s3();
      const { size } = await stat(path);
      const bytes = createReadStream(path);
      try {
        await client.send(new sdk.PutObjectCommand({ ...place(name), Body: bytes, ContentLength: size }));
      } finally {
        bytes.destroy();
      }
    },
    async open(name, range) {
      const { sdk, client } = await s3();
      const wanted = range && { Range: `bytes=${range.start}-${range.end}` };
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ ...place(name), ...wanted }));
        return Body as Readable | undefined;
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async remove(name) {
      const { sdk, client } = await s3();
      await client.send(new sdk.DeleteObjectCommand(place(name)));
    },
  };
}

import { DeleteObjectCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { parseConfig } from '../../../shared/kit/process/config.ts';
import { filesConfig } from '../../../shared/kit/files/config.ts';

/*
 * Restores the files that were deleted after a point in time, in a bucket with versioning:
 * `node deploy/kubernetes/restore/main.ts 2026-01-31T12:00:00Z`, with FILES_URL and the key of FILES_ACCESS_KEY_ID in
 * the environment. It only removes delete markers, so it may run again. Files uploaded after that time stay; no row
 * refers to them.
 */

const moment = new Date(process.argv[2] ?? '');
if (Number.isNaN(moment.getTime())) {
  process.stderr.write(
    'usage: FILES_URL=s3://… node deploy/kubernetes/restore/main.ts <moment, as 2026-01-31T12:00:00Z>\n',
  );
  process.exit(1);
}
const {
  FILES_URL: at,
  FILES_ACCESS_KEY_ID: id,
  FILES_SECRET_ACCESS_KEY: secret,
} = parseConfig(filesConfig, process.env);
if (at.kind !== 's3') throw new Error('FILES_URL is not a bucket: it must begin with s3://');

const client = new S3Client({
  region: at.region,
  forcePathStyle: at.pathStyle,
  ...(at.endpoint !== undefined && { endpoint: at.endpoint }),
  ...(id && secret && { credentials: { accessKeyId: id, secretAccessKey: secret } }),
});
const bucket = { Bucket: at.bucket };
let restored = 0;
let next: { KeyMarker: string | undefined; VersionIdMarker: string | undefined } | undefined;
do {
  const page = await client.send(new ListObjectVersionsCommand({ ...bucket, Prefix: at.prefix, ...next }));
  for (const { Key, VersionId, LastModified = moment } of page.DeleteMarkers ?? []) {
    if (LastModified <= moment) continue;
    await client.send(new DeleteObjectCommand({ ...bucket, Key, VersionId }));
    restored += 1;
  }
  next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker } : undefined;
} while (next);
process.stdout.write(`${restored} files brought back\n`);

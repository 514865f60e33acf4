import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const FORM = 'must be file:///folder or s3://bucket?region=...&endpoint=https://...&path_style=1';
const OPTIONS = ['region', 'endpoint', 'path_style'];

/** Parses FILES_URL: a folder, or a bucket of an S3-compatible store. Undefined for any other text. */
function parse(text: string) {
  const url = URL.parse(text);
  if (url?.protocol === 'file:' && url.host === '' && url.pathname.length > 1)
    return { kind: 'file' as const, folder: fileURLToPath(url) };
  const isKnown = url && [...url.searchParams.keys()].every((name) => OPTIONS.includes(name));
  if (url?.protocol !== 's3:' || url.host === '' || url.username !== '' || !isKnown) return undefined;
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return undefined;
  const region = url.searchParams.get('region');
  if (!region) return undefined;
  const folder = url.pathname.replace(/^\/+|\/+$/g, '');
  return {
    kind: 's3' as const,
    bucket: url.host,
    /** Prefix of object keys: empty, or ends with a slash. */
    prefix: folder === '' ? '' : `${folder}/`,
    endpoint,
    region,
    pathStyle: ['1', 'true'].includes(url.searchParams.get('path_style') ?? ''),
  };
}

/** Configuration that a service with files adds. */
export const filesConfig = z.object({
  FILES_URL: z
    .string()
    .transform((text, context) => {
      const at = parse(text);
      if (!at) context.addIssue({ code: 'custom', message: FORM });
      return at ?? z.NEVER;
    })
    .describe(
      'Where uploaded files are stored: `file:///folder` or `s3://bucket/prefix?region=…&endpoint=https://…&path_style=1`',
    ),
  FILES_SHARED: z
    .stringbool()
    .default(false)
    .describe('`1`: all replicas share the folder of FILES_URL; production requires it for a folder'),
  FILES_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe('Key of the S3 store; without it, the SDK uses a role or a profile'),
  FILES_SECRET_ACCESS_KEY: z.string().optional().describe('Belongs to FILES_ACCESS_KEY_ID'),
});

export type FilesConfig = z.infer<typeof filesConfig>;

/** Problems of the variables in combination: variable and message. */
export function filesConfigProblems(config: FilesConfig & { NODE_ENV: string }): [keyof FilesConfig, string][] {
  const problems: [keyof FilesConfig, string][] = [];
  if (config.NODE_ENV === 'production' && config.FILES_URL.kind === 'file' && !config.FILES_SHARED)
    problems.push([
      'FILES_URL',
      'is a folder of this replica alone: set s3://..., or FILES_SHARED=1 where all share it',
    ]);
  if (!config.FILES_ACCESS_KEY_ID !== !config.FILES_SECRET_ACCESS_KEY)
    problems.push(['FILES_ACCESS_KEY_ID', 'and FILES_SECRET_ACCESS_KEY belong together: set both or neither']);
  return problems;
}

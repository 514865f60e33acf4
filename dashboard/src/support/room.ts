import type { components } from '@tutoring/client/schema';

export type Message = components['schemas']['MessagingMessage'];

/** The link as a URL, if it is HTTP or HTTPS. */
export function webLink(link: string | null): URL | undefined {
  const url = link === null ? null : URL.parse(link);
  return url !== null && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

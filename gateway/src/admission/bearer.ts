const SCHEME = /^bearer +(\S+)$/i;

/** The bearer of an Authorization header; undefined when there is none. */
export function bearerOf(header: string | undefined): string | undefined {
  return header === undefined ? undefined : SCHEME.exec(header.trim())?.[1];
}

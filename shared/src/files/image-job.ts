/**
 * An image to be written anew: a square JPEG of `side` pixels cut from its middle, or the whole in a format of its own.
 * Without either: the file as it is, without the place where it was taken.
 */
export type ImageJob = { from: string; to: string; isHeavy?: boolean } & (
  { side: number } | { contentType: string } | object
);

export interface Picture {
  contentType: string;
  width: number;
  height: number;
}

/**
 * No picture: the bytes are no image, too large a one, or a broken one. `isHeavy`: it takes more than a light image may.
 * `failed`: what the machine lacks.
 */
export type ImageOutcome = { picture?: Picture } | { isCopied: true } | { isHeavy: true } | { failed: string };

/**
 * A rendering job. `side`: a square JPEG of that size, cut from the middle. `contentType`: the whole image, which has
 * that type. Neither: a copy of the file without the GPS location.
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
 * Without a picture: the bytes are not an image, or it is too large or broken. `isHeavy`: the image takes more memory
 * than a light one may. `failed`: the error of the machine, such as a full disk.
 */
export type ImageOutcome = { picture?: Picture } | { isCopied: true } | { isHeavy: true } | { failed: string };

/**
 * Decodes the primary image of a HEIC file to upright RGB pixels of three bytes, in rows of `stride` bytes. sharp cannot,
 * because its libheif has no HEVC decoder.
 */
export async function decodeHeic(bytes: Uint8Array) {
  const { default: open } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs');
  const heif = open();
  const context = heif.heif_context_alloc();
  if (heif.heif_context_read_from_memory(context, bytes).code !== heif.heif_error_code.heif_error_Ok)
    throw new Error('libheif cannot read the image');
  const image = heif.heif_js_decode_image2(
    heif.heif_js_context_get_primary_image_handle(context),
    heif.heif_colorspace.heif_colorspace_RGB,
    heif.heif_chroma.heif_chroma_interleaved_RGB,
  );
  const [pixels] = image.code === undefined ? image.channels : [];
  if (!pixels) throw new Error('libheif cannot decode the image');
  return pixels;
}

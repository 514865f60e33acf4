/** The used part of libheif's interface: its package has no types for this entry. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  export interface Libheif {
    heif_context_alloc(): object;
    heif_context_read_from_memory(context: object, bytes: Uint8Array): { code: unknown };
    heif_js_context_get_primary_image_handle(context: object): object;
    /** The result has a `code` if there was an error. `data` is in the library's memory. */
    heif_js_decode_image2(
      handle: object,
      colours: unknown,
      chroma: unknown,
    ): { code?: unknown; channels: { width: number; height: number; stride: number; data: Uint8Array }[] };
    heif_error_code: { heif_error_Ok: unknown };
    heif_colorspace: { heif_colorspace_RGB: unknown };
    heif_chroma: { heif_chroma_interleaved_RGB: unknown };
  }
  export default function open(): Libheif;
}

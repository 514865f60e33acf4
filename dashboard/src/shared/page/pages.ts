import type { ResourceProps } from 'ra-core';

/** The pages of a resource: the default export of `src/<area>/index.tsx`. */
export type Pages = Omit<ResourceProps, 'name' | 'icon' | 'options'>;

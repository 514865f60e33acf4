import type { ResourceProps } from 'ra-core';

/** The pages of a resource: what a module `src/<area>/index.tsx` exports as its default. */
export type Pages = Omit<ResourceProps, 'name' | 'icon' | 'options'>;

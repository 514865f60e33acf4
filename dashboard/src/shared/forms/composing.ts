/** The code that browsers give a key that an input method takes. */
const TAKEN = 229;

/**
 * Whether a key belongs to an input method, which composes a character with it. Safari ends the composition before the
 * Enter that confirms it: then only the code tells.
 */
export const isComposing = ({ isComposing: isOpen, keyCode }: KeyboardEvent): boolean => isOpen || keyCode === TAKEN;

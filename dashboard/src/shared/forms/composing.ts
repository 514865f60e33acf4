/** The `keyCode` of keys that an input method handles. */
const HANDLED_BY_INPUT_METHOD = 229;

/**
 * Whether an input method handles this key to compose a character. Safari ends the composition before the Enter that
 * confirms it, so `isComposing` alone is not enough.
 */
export const isComposing = ({ isComposing: isOpen, keyCode }: KeyboardEvent): boolean =>
  isOpen || keyCode === HANDLED_BY_INPUT_METHOD;

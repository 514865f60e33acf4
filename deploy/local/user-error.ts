/** A problem that the person at the keyboard can solve: shown as its message alone, without a stack. */
export class UserError extends Error {}

/** A problem that the user can solve: shown only as its message, without a stack. */
export class UserError extends Error {}

/** A problem that the user can solve. Only its message is printed, without a stack trace. */
export class UserError extends Error {}

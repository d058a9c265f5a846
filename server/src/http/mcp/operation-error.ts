/** An operation has no result: it was refused, or not reached. The message is for the caller. */
export class OperationError extends Error {}

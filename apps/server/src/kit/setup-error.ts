/** A setting leads to nothing that can be used. The message is for the operator, in one sentence with the setting's name. */
export class SetupError extends Error {}

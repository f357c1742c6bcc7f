/** A fault of the settings, with a message for the operator. */
export class ConfigError extends Error {}

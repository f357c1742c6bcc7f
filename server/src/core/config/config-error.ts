/** An error in the settings, with a message for the operator. */
export class ConfigError extends Error {}

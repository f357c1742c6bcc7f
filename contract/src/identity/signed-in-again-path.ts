/** Path to which the provider returns after a repeated sign-in. */
export const signedInAgainPath = '/signed-in-again';

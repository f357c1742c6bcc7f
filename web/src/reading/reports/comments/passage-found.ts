/** Where the passage of a comment is: its start in the text, and whether another place fits equally well. */
export type PassageFound = { from: number; isCertain: boolean };

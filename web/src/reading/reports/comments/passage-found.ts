/** Place of the passage of a comment: its start in the text, and whether no other place fits equally well. */
export type PassageFound = { from: number; isCertain: boolean };

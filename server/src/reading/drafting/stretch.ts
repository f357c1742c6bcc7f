/** A range of a text that must be withheld, in UTF-16 units. */
export type Stretch = { from: number; to: number };

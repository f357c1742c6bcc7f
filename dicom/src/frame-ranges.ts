/** The bytes of one frame: [offset, length] of each piece, in order. */
export type FrameRanges = [offset: number, length: number][];

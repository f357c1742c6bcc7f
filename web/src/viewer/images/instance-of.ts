/** What the image ids of all frames of an instance have in common. */
export const instanceOf = (imageId: string): string => imageId.replace(/\/frames\/\d+$/, '');

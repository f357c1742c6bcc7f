/** Returns the part of an image ID that all frames of an instance share. */
export const instanceOf = (imageId: string): string => imageId.replace(/\/frames\/\d+$/, '');

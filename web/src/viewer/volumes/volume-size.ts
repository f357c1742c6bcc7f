/** Size of a volume: bytes, and columns, rows and slices. */
export type VolumeSize = { bytes: number; dimensions: readonly number[] };

/** Limits of a device: bytes for images, and the longest side for its graphics card. */
export type Room = { bytes: number; side: number };

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;

/** Reason why a volume is too large for this device, with the sizes. Undefined if it fits. */
export const reasonTooLarge = ({ bytes, dimensions }: VolumeSize, room: Room): string | undefined => {
  const longest = Math.max(...dimensions);
  if (longest > room.side) {
    return `It is ${dimensions.join(' × ')} large: the graphics card of this device takes ${room.side} along each side.`;
  }
  if (bytes <= room.bytes) return undefined;
  return `It takes ${megabytes(bytes)} of memory: this device has ${megabytes(Math.max(0, room.bytes))} left for images.`;
};

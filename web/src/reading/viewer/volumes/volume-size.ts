import { t } from '@lingui/core/macro';
/** Size of a volume: bytes, and numbers of columns, rows and slices. */
export type VolumeSize = { bytes: number; dimensions: readonly number[] };

/** Limits of a device: memory for images in bytes, and the longest side that its graphics card supports. */
export type DeviceLimits = { bytes: number; side: number };

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;

/** Returns the reason why a volume is too large for this device, with the sizes. Undefined if it fits. */
export const reasonTooLarge = ({ bytes, dimensions }: VolumeSize, room: DeviceLimits): string | undefined => {
  const longest = Math.max(...dimensions);
  if (longest > room.side) {
    const size = dimensions.join(' × ');
    const { side } = room;
    return t`The volume has ${size} voxels. The graphics card of this device allows at most ${side} per side.`;
  }
  if (bytes <= room.bytes) return undefined;
  const needed = megabytes(bytes);
  const left = megabytes(Math.max(0, room.bytes));
  return t`The volume needs ${needed} of memory. This device has ${left} left for images.`;
};

import { useMediaQuery } from '@mantine/hooks';

/** Whether the device is handheld. Such devices have less memory and fewer graphics contexts than a desktop. */
export const isHandheld = (): boolean => window.matchMedia('(pointer: coarse)').matches;

/** Whether the screen has room for only one image: a phone in either orientation, or a window of that width. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 600px), (pointer: coarse) and (max-height: 500px)', false, {
    getInitialValueInEffect: false,
  });

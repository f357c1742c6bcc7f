import { useMediaQuery } from '@mantine/hooks';

/** A device that is held in the hand: less memory and fewer graphics contexts than a desk has. */
export const isHandheld = (): boolean => window.matchMedia('(pointer: coarse)').matches;

/** Whether there is room for one picture only: a phone, whichever way it is held, or a window as narrow. */
export const useIsPhone = (): boolean =>
  useMediaQuery('(max-width: 600px), (pointer: coarse) and (max-height: 500px)', false, {
    getInitialValueInEffect: false,
  });

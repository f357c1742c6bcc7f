/** Time-out in milliseconds, longer than a first image usually takes. */
const patience = 3000;

let settle: () => void = () => {};
let isExpected = false;
const settled = new Promise<void>((resolve) => {
  settle = resolve;
});

/** Announces that the first image will be drawn without the imaging library. */
export const expectPicture = () => {
  if (isExpected) return;
  isExpected = true;
  setTimeout(settle, patience);
};

/** Ends the wait, because the first image is drawn or will not come. */
export const endExpecting = () => settle();

/**
 * Waits until the first image of the page is drawn, if a first image is expected. The imaging library starts only after
 * this image, because its code takes long to run.
 */
export const afterFirstPicture = (): Promise<void> => (isExpected ? settled : Promise.resolve());

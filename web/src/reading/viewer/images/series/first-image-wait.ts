/** Time-out in milliseconds, longer than a first image usually takes. */
const patience = 3000;

let settle: () => void = () => {};
let isExpected = false;
const settled = new Promise<void>((resolve) => {
  settle = resolve;
});

/** Announces a first image that needs no imaging library. */
export const expectPicture = () => {
  if (isExpected) return;
  isExpected = true;
  setTimeout(settle, patience);
};

/** Ends the wait: the first image is drawn, or none will come. */
export const endExpecting = () => settle();

/**
 * Waits until the first image of the page is drawn, if one is expected. Evaluating the imaging library takes as long as
 * all work before that image.
 */
export const afterFirstPicture = (): Promise<void> => (isExpected ? settled : Promise.resolve());

/** Longer than a first picture takes on a bad day, in milliseconds. */
const patience = 3000;

let settle: () => void = () => {};
let isExpected = false;
const settled = new Promise<void>((resolve) => {
  settle = resolve;
});

/** Says that a first picture is on its way that needs no imaging library. */
export const expectPicture = () => {
  if (isExpected) return;
  isExpected = true;
  setTimeout(settle, patience);
};

/** Says that it is on the screen, or that none comes. */
export const endExpecting = () => settle();

/**
 * Waits until the first picture of the page is on the screen, if one is expected: to evaluate the imaging library takes
 * the browser as long as all that comes before the picture.
 */
export const afterFirstPicture = (): Promise<void> => (isExpected ? settled : Promise.resolve());

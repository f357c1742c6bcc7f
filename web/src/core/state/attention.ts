/** Without input for this long, calls no longer count as requested by the user. In milliseconds. */
const attendedFor = 60_000;

const signs = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'touchstart'] as const;

/** Loading the page counts as input of the user. */
let lastSign = Date.now();
const note = () => {
  lastSign = Date.now();
};
for (const sign of signs) window.addEventListener(sign, note, { capture: true, passive: true });

/** Checks whether the user gave input to this page in the last minute. */
export const hasRecentInput = (): boolean => Date.now() - lastSign < attendedFor;

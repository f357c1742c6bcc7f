/** Time without input, in milliseconds, after which calls no longer count as requested by the user. */
const attendedFor = 60_000;

const signs = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'touchstart'] as const;

/** Time of the last input. Loading the page counts as input. */
let lastSign = Date.now();
const note = () => {
  lastSign = Date.now();
};
for (const sign of signs) window.addEventListener(sign, note, { capture: true, passive: true });

/** Whether the user has used this page in the last minute. */
export const hasRecentInput = (): boolean => Date.now() - lastSign < attendedFor;

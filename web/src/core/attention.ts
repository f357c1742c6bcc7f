/** Without a sign of the person for so long, a page asks by itself and not for them. In milliseconds. */
const attendedFor = 60_000;

const signs = ['pointerdown', 'pointermove', 'wheel', 'keydown', 'touchstart'] as const;

/** The page was loaded because somebody wanted it. */
let lastSign = Date.now();
const note = () => {
  lastSign = Date.now();
};
for (const sign of signs) window.addEventListener(sign, note, { capture: true, passive: true });

/** Whether somebody is at this page, as far as their hands tell. */
export const isAttended = (): boolean => Date.now() - lastSign < attendedFor;

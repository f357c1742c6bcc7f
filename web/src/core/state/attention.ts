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

/** Interval in milliseconds at which input is announced to the other tabs. */
const announcedEvery = 10_000;
/** Name of the browser storage entry with the time of the last input in any tab. */
const storageName = 'last-input';

let lastAnnounced = -Infinity;
const announce = () => {
  if (Date.now() - lastAnnounced < announcedEvery) return;
  lastAnnounced = Date.now();
  try {
    localStorage.setItem(storageName, String(lastAnnounced));
  } catch {
    // In a full storage, the other tabs do not learn of this input. Their own input still counts.
  }
};
for (const sign of signs) window.addEventListener(sign, announce, { capture: true, passive: true });

/** Notes activity without input, such as dictation. */
export const noteActivity = () => {
  note();
  announce();
};

/** Whether the user has used any tab in the last minute, such as a second window with images. */
export const hasRecentInputInAnyTab = (): boolean =>
  hasRecentInput() || Date.now() - Number(localStorage.getItem(storageName) ?? 0) < attendedFor;

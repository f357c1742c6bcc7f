/** How long a writer may take from one character to the next, in milliseconds. */
const typingTime = 1500;

const pressable =
  'button, a[href], summary, input[type="checkbox"], input[type="radio"], [role="button"], [role="switch"]';
/** In these, characters look for an entry, and the next key takes it. */
const searchable = '[role="menu"], [role="listbox"], [role="tablist"]';

const isOnControl = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest(pressable) !== null && target.closest(searchable) === null;

/**
 * Keeps text from pressing controls. A writer who has lost the focus to a button or a checkbox keeps typing there; the
 * blanks and line ends of that text would tick, sign, send or delete. They do nothing while characters come. A press that
 * follows no character works as everywhere. Returns what takes the guard away.
 */
export const ignoreTextOnControls = (): (() => void) => {
  let until = 0;
  let isIgnored = false;

  const ignore = (event: KeyboardEvent) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    isIgnored = false;
    if (event.ctrlKey || event.metaKey || event.altKey || !isOnControl(event)) return;
    const isPress = event.key === ' ' || event.key === 'Enter';
    if (!isPress && event.key.length > 1) return;
    const isTyping = Date.now() < until;
    if (!isPress || isTyping) until = Date.now() + typingTime;
    if (!isPress || !isTyping) return;
    isIgnored = true;
    ignore(event);
  };
  // Browsers press with the blank when it comes up.
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.key === ' ' && isIgnored) ignore(event);
  };
  window.addEventListener('keydown', onKeyDown, { capture: true });
  window.addEventListener('keyup', onKeyUp, { capture: true });
  return () => {
    window.removeEventListener('keydown', onKeyDown, { capture: true });
    window.removeEventListener('keyup', onKeyUp, { capture: true });
  };
};

/** Longest time between two typed characters, in milliseconds. */
const typingTime = 1500;

const pressable =
  'button, a[href], summary, input[type="checkbox"], input[type="radio"], [role="button"], [role="switch"]';
/** Elements in which typed characters find an item and the next key chooses it. */
const searchable = '[role="menu"], [role="listbox"], [role="tablist"]';

const isOnControl = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest(pressable) !== null && target.closest(searchable) === null;

/**
 * Prevents typed text from pressing controls. Users may keep typing after the focus has moved to a button or checkbox.
 * Typed spaces and line breaks would then check, sign, send or delete. So these two keys are ignored during typing;
 * other key presses work. Returns a function that restores the usual behavior.
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
  // Handles `keyup` too, because browsers press a button when the space key is released.
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

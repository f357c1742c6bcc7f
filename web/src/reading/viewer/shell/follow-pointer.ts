type Spot = { clientX: number; clientY: number };

type PointerHandlers = {
  follow: (at: Spot) => void;
  /** Reverts the drag after a second finger or the loss of the pointer. */
  cancel: () => void;
};

/**
 * Follows the pressed pointer until release, even outside the element. A second finger means a pinch, which ends the
 * drag.
 */
export const followPointer = (pressed: { pointerId: number }, { follow, cancel }: PointerHandlers) => {
  const stop = new AbortController();
  const { signal } = stop;
  const isIt = ({ pointerId }: PointerEvent) => pointerId === pressed.pointerId;
  const end = () => {
    stop.abort();
    cancel();
  };
  window.addEventListener('pointermove', (event) => isIt(event) && follow(event), { signal });
  window.addEventListener('pointerup', (event) => isIt(event) && stop.abort(), { signal });
  window.addEventListener('pointercancel', (event) => isIt(event) && end(), { signal });
  // Listens in the capture phase, because an element inside may stop the event.
  window.addEventListener('pointerdown', (event) => !isIt(event) && end(), { signal, capture: true });
};

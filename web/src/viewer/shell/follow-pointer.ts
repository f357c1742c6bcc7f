type Spot = { clientX: number; clientY: number };

type Hands = {
  follow: (at: Spot) => void;
  /** Another finger came, or the device took this one away: what it did is taken back. */
  giveUp: () => void;
};

/** Follows the pointer that was pressed until it is let go, wherever it goes. With a second finger the picture is pinched. */
export const followPointer = (pressed: { pointerId: number }, { follow, giveUp }: Hands) => {
  const stop = new AbortController();
  const { signal } = stop;
  const isIt = ({ pointerId }: PointerEvent) => pointerId === pressed.pointerId;
  const end = () => {
    stop.abort();
    giveUp();
  };
  window.addEventListener('pointermove', (event) => isIt(event) && follow(event), { signal });
  window.addEventListener('pointerup', (event) => isIt(event) && stop.abort(), { signal });
  window.addEventListener('pointercancel', (event) => isIt(event) && end(), { signal });
  // Also where it comes down on something that keeps it to itself.
  window.addEventListener('pointerdown', (event) => !isIt(event) && end(), { signal, capture: true });
};

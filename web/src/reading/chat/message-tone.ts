let context: AudioContext | undefined;

const seconds = 0.22;
/** Gain at full volume. It is low, because reading rooms are quiet. */
export const maxGain = 0.35;

/** Plays two short notes at a volume from 0 to 1. Browsers play no sound before the user's first click or key. */
export const playTone = (volume: number): void => {
  const isAllowed = navigator.userActivation?.hasBeenActive ?? true;
  if (volume <= 0 || !isAllowed || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  const start = context.currentTime;
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume * maxGain, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  const note = new OscillatorNode(context, { type: 'sine', frequency: 659 });
  note.frequency.setValueAtTime(880, start + seconds / 3);
  note.connect(gain).connect(context.destination);
  note.start(start);
  note.stop(start + seconds);
};

import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';

/** A simulated microphone of the browser. */
export class MicrophoneStandIn {
  static current: MicrophoneStandIn | undefined;

  isOpen = true;
  readonly port: { onmessage: ((event: { data: Float32Array }) => void) | null } = { onmessage: null };
  readonly track = Object.assign(new EventTarget(), { stop: () => void (this.isOpen = false) });

  constructor() {
    MicrophoneStandIn.current = this;
  }

  /** Passes on sound at 16 kHz in pieces, as the recorder does. */
  hears(sound: Float32Array): void {
    act(() => {
      for (let at = 0; at < sound.length; at += 2048) this.port.onmessage?.({ data: sound.slice(at, at + 2048) });
    });
  }

  unplug(): void {
    act(() => void this.track.dispatchEvent(new Event('ended')));
  }
}

/** Installs a microphone that the test controls. `refusal` is the name of the error of getUserMedia. */
export const standInForMicrophone = (refusal?: string): typeof MicrophoneStandIn => {
  MicrophoneStandIn.current = undefined;
  const getUserMedia = () => {
    if (refusal) return Promise.reject(new DOMException('refused', refusal));
    const microphone = new MicrophoneStandIn();
    return Promise.resolve({ getTracks: () => [microphone.track] });
  };
  vi.stubGlobal('navigator', {
    userAgent: window.navigator.userAgent,
    clipboard: window.navigator.clipboard,
    mediaDevices: { enumerateDevices: () => Promise.resolve([{ kind: 'audioinput' }]), getUserMedia },
    permissions: { query: () => Promise.resolve({ state: 'prompt' }) },
  });
  vi.stubGlobal(
    'AudioContext',
    class {
      sampleRate = 16_000;
      audioWorklet = { addModule: () => Promise.resolve() };
      createMediaStreamSource = () => ({ connect: () => {} });
      resume = () => Promise.resolve();
      close = () => Promise.resolve();
    },
  );
  vi.stubGlobal(
    'AudioWorkletNode',
    class {
      port = MicrophoneStandIn.current?.port;
    },
  );
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return MicrophoneStandIn;
};

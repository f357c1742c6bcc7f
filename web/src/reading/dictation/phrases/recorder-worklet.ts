/** Samples to collect before they are sent, at most 0.05 s. Each message costs time. */
const portion = 2048;

declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

/** Sends the first channel of the microphone to the page. Runs in the audio thread. */
class Recorder extends AudioWorkletProcessor {
  #held = new Float32Array(portion);
  #length = 0;

  process([input]: Float32Array[][]): boolean {
    const samples = input?.[0];
    if (!samples) return true;
    if (this.#length + samples.length > portion) {
      this.port.postMessage(this.#held.slice(0, this.#length));
      this.#length = 0;
    }
    this.#held.set(samples, this.#length);
    this.#length += samples.length;
    return true;
  }
}

registerProcessor('radwork-recorder', Recorder);

import recorderUrl from './recorder-worklet.ts?worker&url';

export type Microphone = {
  /** Samples per second. */
  rate: number;
  close: () => void;
};

export type OpenMicrophone = (terms: {
  onSamples: (samples: Float32Array) => void;
  /** Called when the microphone is gone, such as unplugged. */
  onLost: () => void;
}) => Promise<Microphone>;

/**
 * Opens the microphone and passes on its samples. Throws the DOMException of getUserMedia: NotAllowedError,
 * NotFoundError or NotReadableError.
 */
export const openMicrophone: OpenMicrophone = async ({ onSamples, onLost }) => {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  const context = new AudioContext({ latencyHint: 'balanced' });
  try {
    await context.audioWorklet.addModule(recorderUrl);
    const source = context.createMediaStreamSource(stream);
    const recorder = new AudioWorkletNode(context, 'radwork-recorder', { numberOfOutputs: 0, channelCount: 1 });
    recorder.port.onmessage = ({ data }: MessageEvent<Float32Array>) => onSamples(data);
    source.connect(recorder);
    await context.resume();
    stream.getTracks()[0]?.addEventListener('ended', onLost);
    return {
      rate: context.sampleRate,
      close: () => {
        recorder.port.onmessage = null;
        stop();
        void context.close();
      },
    };
  } catch (error) {
    stop();
    void context.close();
    throw error;
  }
};

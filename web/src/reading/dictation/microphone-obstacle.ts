import type { Obstacle } from './speech-engine.ts';

const isRefused = async (): Promise<boolean> => {
  try {
    const { state } = await navigator.permissions.query({ name: 'microphone' });
    return state === 'denied';
  } catch {
    // Some browsers lack this query.
    return false;
  }
};

const hasMicrophone = async (): Promise<boolean> => {
  try {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices.some(({ kind }) => kind === 'audioinput');
  } catch {
    return true;
  }
};

/** Returns why no microphone can be used: it is missing, or the browser refuses it. */
export const microphoneObstacle = async (): Promise<Obstacle | undefined> => {
  if (await isRefused()) return 'no-permission';
  return (await hasMicrophone()) ? undefined : 'no-microphone';
};

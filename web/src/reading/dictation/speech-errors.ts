import { t } from '@lingui/core/macro';
import type { Obstacle } from './speech-engine.ts';

/** Messages by error code of the engine. */
const messages: Record<string, string> = {
  'no-speech': t`No speech detected. Try speaking again.`,
  'audio-capture': t`No microphone found. Please check your microphone.`,
  'not-allowed': t`Microphone access denied. Please enable microphone permissions.`,
  network: t`Network error occurred during speech recognition.`,
  'server-behind': t`The dictation server is too slow, so dictation stopped. The last phrase was not recorded.`,
};

export const messageForError = (code: string): string => messages[code] ?? t`Speech recognition error: ${code}`;

export const messageForObstacle: Record<Obstacle, string> = {
  unsupported: t`Speech recognition is not supported in this browser. Try using Chrome, Edge, or Safari.`,
  unavailable: t`Speech recognition is not available`,
  'no-permission': t`Microphone access is required for speech-to-text functionality`,
  'no-microphone': t`No microphone detected. Please connect a microphone.`,
  'no-recording': t`This browser cannot record speech. Use a current Chrome, Edge, Firefox or Safari over https.`,
};

export const failedToStart = t`Failed to start speech recognition`;

/** Errors that a retry cannot fix. "aborted" means that another page uses the microphone. */
const fatal = new Set([
  'not-allowed',
  'service-not-allowed',
  'audio-capture',
  'language-not-supported',
  'aborted',
  'server-behind',
]);

export const isFatal = (code: string): boolean => fatal.has(code);

/** Whether the code only reports silence. Silence is not an error: readers look at the images before they speak. */
export const isSilence = (code: string): boolean => code === 'no-speech';

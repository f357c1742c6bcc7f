import { readPreference } from '#core/state/preferences.ts';
import { isHandheld } from '#reading/viewer/engine/handheld.ts';

/**
 * Whether the images have the full width from the start. This requires a wide screen, and no report, list or image
 * named in the address.
 */
export const hasFullWidth = (): boolean =>
  window.matchMedia('(min-width: 901px)').matches &&
  !isHandheld() &&
  readPreference('viewer-report', ['closed', 'open']) === 'closed' &&
  readPreference('viewer-measurements', ['closed', 'open']) === 'closed' &&
  !new URLSearchParams(window.location.search).has('image');

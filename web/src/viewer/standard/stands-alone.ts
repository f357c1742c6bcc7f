import { readPreference } from '#core/preferences.ts';
import { isHandheld } from '#viewer/engine/handheld.ts';

/**
 * Whether the pictures of a study that is opened now stand by themselves where they will stay: on a wide screen, without a
 * report or a list beside them, and at no image that the address names.
 */
export const standsAlone = (): boolean =>
  window.matchMedia('(min-width: 901px)').matches &&
  !isHandheld() &&
  readPreference('viewer-report', ['closed', 'open']) === 'closed' &&
  readPreference('viewer-measurements', ['closed', 'open']) === 'closed' &&
  !new URLSearchParams(window.location.search).has('image');

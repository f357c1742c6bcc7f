/**
 * Settings without call limits, for tests and benchmarks that call more often than users. Browser tests keep the
 * limits.
 */
export const noCallLimits = {
  CALLS_PER_SESSION: '0',
  CALLS_PER_TENANT: '0',
  CALLS_PER_ADDRESS: '0',
  IMAGES_PER_SESSION: '0',
  IMAGES_PER_TENANT: '0',
};

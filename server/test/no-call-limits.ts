/** Settings for what asks more often than anybody would: tests and measurements, but not those in a browser. */
export const noCallLimits = {
  CALLS_PER_SESSION: '0',
  CALLS_PER_TENANT: '0',
  CALLS_PER_ADDRESS: '0',
  IMAGES_PER_SESSION: '0',
  IMAGES_PER_TENANT: '0',
};

/** The Node flags of a deployed server: also in deploy/Dockerfile and deploy/radwork.service. */
export const deployedFlags = [
  // A collection of the young generation frees the buffers of incoming images. A small young generation keeps the memory
  // of a busy server low.
  '--max-semi-space-size=4',
  // The start takes about 100 MB. Without this, the collector of the old generation runs several times meanwhile.
  '--initial-old-space-size=128',
];

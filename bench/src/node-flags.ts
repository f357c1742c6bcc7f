/** The Node flags of a deployed server: scripts/deployed-flags.mjs, deploy/Dockerfile, deploy/radwork.service. */
export const deployedFlags = ['--max-semi-space-size=4', '--initial-old-space-size=128'];

/** The Node flags of a deployed server: scripts/start.mjs, deploy/Dockerfile, deploy/radwork.service. */
export const deployedFlags = ['--max-semi-space-size=4'];

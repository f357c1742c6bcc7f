/** What Node is told where the server runs for real: scripts/start.mjs, deploy/Dockerfile, deploy/radwork.service. */
export const deployedFlags = ['--max-semi-space-size=4'];

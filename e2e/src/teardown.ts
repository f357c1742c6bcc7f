import { rm } from 'node:fs/promises';

/** Removes the data folder that the configuration made. */
export const removeFolder = async () => {
  const folder = process.env.E2E_FOLDER;
  if (folder) await rm(folder, { recursive: true, force: true });
};

export default removeFolder;

import type { Plugin } from 'vite';

const stub = '\0trimmed-vtk';

/**
 * Removes unused parts of vtk.js: the WebGPU back end, and the mesh readers, which need the `events` module of Node and
 * fail in browsers. Saves about 140 kB of compressed JavaScript.
 */
export const trimVtk = (): Plugin => ({
  name: 'trim-vtk',
  enforce: 'pre',
  resolveId: (id, importer = '') => {
    const isReader = /vtk\.js\/IO\/(XML|Geometry|Misc)\//.test(id);
    const isWebGpu = id.includes('WebGPU') && importer.includes('vtk.js');
    return isReader || isWebGpu ? stub : null;
  },
  load: (id) =>
    id === stub
      ? `export const newInstance = () => { throw new Error('This part of vtk.js is not included'); };
         export const extend = newInstance;
         export const registerOverride = () => {};
         export default { newInstance, extend };`
      : null,
});

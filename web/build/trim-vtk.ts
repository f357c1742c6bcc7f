import type { Plugin } from 'vite';

const stub = '\0trimmed-vtk';

/**
 * Leaves out what no viewer of ours uses from vtk.js: the mesh readers, which pull in Node's `events` and break
 * in the browser, and the WebGPU back end. About 140 kB of compressed JavaScript.
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

declare module '@cornerstonejs/codec-charls/decodewasmjs' {
  /** The parts of the CharLS build by emscripten that we use (see its README). */
  export type CharlsModule = {
    JpegLSDecoder: new () => {
      /** Allocates a buffer for compressed bytes in the module's memory. */
      getEncodedBuffer: (length: number) => Uint8Array;
      decode: () => void;
      getFrameInfo: () => { width: number; height: number; bitsPerSample: number; componentCount: number };
      /** 0 means planar: one color plane after the other. */
      getInterleaveMode: () => number;
      /** The pixels in the memory of the module. They are valid until `delete`. */
      getDecodedBuffer: () => Uint8Array;
      delete: () => void;
    };
  };
  type Options = { locateFile: () => string; print: () => void; printErr: () => void };
  const load: (options: Options) => Promise<CharlsModule>;
  export default load;
}

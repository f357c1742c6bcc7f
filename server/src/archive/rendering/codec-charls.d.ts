declare module '@cornerstonejs/codec-charls/decodewasmjs' {
  /** What of the emscripten build of CharLS is used here (its README). */
  export type CharlsModule = {
    JpegLSDecoder: new () => {
      /** Room for that many compressed bytes, inside the module's memory. */
      getEncodedBuffer: (length: number) => Uint8Array;
      decode: () => void;
      getFrameInfo: () => { width: number; height: number; bitsPerSample: number; componentCount: number };
      /** 0: one plane after the other. */
      getInterleaveMode: () => number;
      /** The pixels, inside the module's memory and only until `delete`. */
      getDecodedBuffer: () => Uint8Array;
      delete: () => void;
    };
  };
  type Options = { locateFile: () => string; print: () => void; printErr: () => void };
  const load: (options: Options) => Promise<CharlsModule>;
  export default load;
}

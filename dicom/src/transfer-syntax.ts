export type Codec =
  | 'none'
  | 'deflate'
  | 'rle'
  | 'jpeg'
  | 'jpeg-lossless'
  | 'jpeg-ls'
  | 'jpeg2000'
  | 'htj2k'
  | 'jpeg-xl'
  | 'video';

/** The encoding of a data set and its pixel data (PS3.5 Annex A). */
export type TransferSyntax = {
  uid: string;
  name: string;
  explicit: boolean;
  littleEndian: boolean;
  /** Whether the whole data set is compressed (PS3.5 §A.5). */
  deflated: boolean;
  /** Whether pixel data is in fragments, compressed with `codec`. */
  encapsulated: boolean;
  codec: Codec;
  /** The media type of one frame (PS3.18 §8.7.3.3). */
  mediaType: string;
};

const native = (uid: string, name: string, differences: Partial<TransferSyntax> = {}): TransferSyntax => ({
  uid: `1.2.840.10008.1.2${uid}`,
  name,
  explicit: true,
  littleEndian: true,
  deflated: false,
  encapsulated: false,
  codec: 'none',
  mediaType: 'application/octet-stream',
  ...differences,
});

const encapsulated = (uid: string, name: string, codec: Codec, mediaType: string): TransferSyntax =>
  native(uid, name, { encapsulated: true, codec, mediaType });

export const implicitLittleEndian = native('', 'Implicit VR Little Endian', { explicit: false });
export const explicitLittleEndian = native('.1', 'Explicit VR Little Endian');
export const explicitBigEndian = native('.2', 'Explicit VR Big Endian', { littleEndian: false });

/** The fragmentable forms of the videos, whose stream may be in several fragments (PS3.5 §A.4.5 to §A.4.10). */
const fragmentableVideos: TransferSyntax[] = [
  encapsulated('.4.100.1', 'Fragmentable MPEG2 Main Level', 'video', 'video/mpeg'),
  encapsulated('.4.101.1', 'Fragmentable MPEG2 High Level', 'video', 'video/mpeg'),
  encapsulated('.4.102.1', 'Fragmentable MPEG-4 AVC/H.264 High Profile', 'video', 'video/mp4'),
  encapsulated('.4.103.1', 'Fragmentable MPEG-4 AVC/H.264 BD-compatible High Profile', 'video', 'video/mp4'),
  encapsulated('.4.104.1', 'Fragmentable MPEG-4 AVC/H.264 High Profile for 2D Video', 'video', 'video/mp4'),
  encapsulated('.4.105.1', 'Fragmentable MPEG-4 AVC/H.264 High Profile for 3D Video', 'video', 'video/mp4'),
  encapsulated('.4.106.1', 'Fragmentable MPEG-4 AVC/H.264 Stereo High Profile', 'video', 'video/mp4'),
];

export const transferSyntaxes: readonly TransferSyntax[] = [
  implicitLittleEndian,
  explicitLittleEndian,
  explicitBigEndian,
  native('.1.99', 'Deflated Explicit VR Little Endian', { deflated: true }),
  encapsulated('.1.98', 'Encapsulated Uncompressed Explicit VR Little Endian', 'none', 'application/octet-stream'),
  encapsulated('.4.50', 'JPEG Baseline', 'jpeg', 'image/jpeg'),
  encapsulated('.4.51', 'JPEG Extended', 'jpeg', 'image/jpeg'),
  encapsulated('.4.53', 'JPEG Spectral Selection', 'jpeg', 'image/jpeg'),
  encapsulated('.4.55', 'JPEG Full Progression', 'jpeg', 'image/jpeg'),
  encapsulated('.4.57', 'JPEG Lossless', 'jpeg-lossless', 'image/jpeg'),
  encapsulated('.4.70', 'JPEG Lossless, First-Order Prediction', 'jpeg-lossless', 'image/jpeg'),
  encapsulated('.4.80', 'JPEG-LS Lossless', 'jpeg-ls', 'image/jls'),
  encapsulated('.4.81', 'JPEG-LS Near-Lossless', 'jpeg-ls', 'image/jls'),
  encapsulated('.4.90', 'JPEG 2000 Lossless', 'jpeg2000', 'image/jp2'),
  encapsulated('.4.91', 'JPEG 2000', 'jpeg2000', 'image/jp2'),
  encapsulated('.4.92', 'JPEG 2000 Part 2 Multi-component Lossless', 'jpeg2000', 'image/jpx'),
  encapsulated('.4.93', 'JPEG 2000 Part 2 Multi-component', 'jpeg2000', 'image/jpx'),
  native('.4.94', 'JPIP Referenced'),
  native('.4.95', 'JPIP Referenced Deflate', { deflated: true }),
  encapsulated('.4.100', 'MPEG2 Main Level', 'video', 'video/mpeg'),
  encapsulated('.4.101', 'MPEG2 High Level', 'video', 'video/mpeg'),
  encapsulated('.4.102', 'MPEG-4 AVC/H.264 High Profile', 'video', 'video/mp4'),
  encapsulated('.4.103', 'MPEG-4 AVC/H.264 BD-compatible High Profile', 'video', 'video/mp4'),
  encapsulated('.4.104', 'MPEG-4 AVC/H.264 High Profile for 2D Video', 'video', 'video/mp4'),
  encapsulated('.4.105', 'MPEG-4 AVC/H.264 High Profile for 3D Video', 'video', 'video/mp4'),
  encapsulated('.4.106', 'MPEG-4 AVC/H.264 Stereo High Profile', 'video', 'video/mp4'),
  encapsulated('.4.107', 'HEVC/H.265 Main Profile', 'video', 'video/H265'),
  encapsulated('.4.108', 'HEVC/H.265 Main 10 Profile', 'video', 'video/H265'),
  ...fragmentableVideos,
  encapsulated('.4.110', 'JPEG XL Lossless', 'jpeg-xl', 'image/jxl'),
  encapsulated('.4.111', 'JPEG XL JPEG Recompression', 'jpeg-xl', 'image/jxl'),
  encapsulated('.4.112', 'JPEG XL', 'jpeg-xl', 'image/jxl'),
  encapsulated('.4.201', 'High-Throughput JPEG 2000 Lossless', 'htj2k', 'image/jphc'),
  encapsulated('.4.202', 'High-Throughput JPEG 2000 Lossless, RPCL', 'htj2k', 'image/jphc'),
  encapsulated('.4.203', 'High-Throughput JPEG 2000', 'htj2k', 'image/jphc'),
  encapsulated('.5', 'RLE Lossless', 'rle', 'image/dicom-rle'),
  encapsulated('.8.1', 'Deflated Image Frame Compression', 'deflate', 'application/octet-stream'),
];

const byUid = new Map(transferSyntaxes.map((syntax) => [syntax.uid, syntax]));

/** The transfer syntax of a UID. Undefined for an unknown or private UID. */
export const transferSyntaxOf = (uid: string): TransferSyntax | undefined => byUid.get(uid);

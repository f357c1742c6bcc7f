const width = 480;
const height = 120;

/** Renders a name as a signature: a PNG data URL, or undefined for an empty name. */
export const typedSignature = (name: string): string | undefined => {
  const text = name.trim();
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext('2d');
  if (!text || !pen) return undefined;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = '#10131a';
  pen.textBaseline = 'middle';
  pen.font = 'italic 44px "Segoe Script", "Apple Chancery", "URW Chancery L", cursive';
  // The last argument limits the width, so a long name is compressed.
  pen.fillText(text, 20, height / 2, width - 40);
  return canvas.toDataURL('image/png');
};

import type { Edges } from '#reading/viewer/images/geometry/orientation.ts';
import { inXml, overlaysToInclude } from './picture-overlays.ts';
import type { Layers, Overlay } from './picture.ts';
import type { PictureText } from './picture-text.ts';

/** Width in pixels of a picture with letters of 12 px. Letters grow with the width. */
const usualWidth = 800;
const usualLetters = 12;
const leastWidth = 240;

const colors = { paper: '#0b0e12', words: '#c9d1db', name: '#ffffff', caution: '#f2c14e' };
const family = 'Inter Variable, Inter, system-ui, sans-serif';

type Line = { text: string; color: string; isStrong: boolean };

/** Returns the letter size for a picture, in pixels of the picture. */
const lettersFor = (width: number): number =>
  Math.max(9, Math.round((usualLetters * Math.max(width, leastWidth)) / usualWidth));

/** Breaks a long line between words. */
const broken = (pen: CanvasRenderingContext2D, line: Line, width: number): Line[] => {
  const rows: string[] = [];
  for (const word of line.text.split(' ')) {
    const longer = rows.length > 0 ? `${rows.at(-1)} ${word}` : word;
    if (rows.length > 0 && pen.measureText(longer).width <= width) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows.map((text) => ({ ...line, text: text.trim() }));
};

const asImage = (markup: string, { left, top, width, height }: Layers['box'], canvas: HTMLCanvasElement) => {
  const image = new Image(canvas.width, canvas.height);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}" width="${canvas.width}" height="${canvas.height}" preserveAspectRatio="none">${inXml(markup)}</svg>`;
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  return image;
};

/** Draws the orientation letters, without which left and right cannot be told apart. */
const drawEdges = (pen: CanvasRenderingContext2D, edges: Edges, { width, height }: HTMLCanvasElement) => {
  const letters = lettersFor(width) * 1.2;
  pen.save();
  pen.font = `600 ${letters}px ${family}`;
  pen.fillStyle = colors.words;
  pen.strokeStyle = '#000000';
  pen.lineWidth = letters / 4;
  pen.textBaseline = 'middle';
  const write = (text: string, x: number, y: number, align: CanvasTextAlign) => {
    pen.textAlign = align;
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  };
  write(edges.left, letters / 2, height / 2, 'left');
  write(edges.right, width - letters / 2, height / 2, 'right');
  write(edges.top, width / 2, letters, 'center');
  write(edges.bottom, width / 2, height - letters, 'center');
  pen.restore();
};

/** Draws an overlay, scaled from the screen to the picture. */
const drawOver = async (pen: CanvasRenderingContext2D, over: Overlay, box: Layers['box']) => {
  const { canvas } = pen;
  if ('markup' in over) {
    const image = asImage(over.markup, box, canvas);
    await image.decode();
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return;
  }
  const { areas, at } = over;
  const [across, down] = [canvas.width / box.width, canvas.height / box.height];
  const [left, top] = [(at.left - box.left) * across, (at.top - box.top) * down];
  pen.drawImage(areas, left, top, at.width * across, at.height * down);
};

/** Draws the image, its overlays and its orientation letters. */
const withDrawn = async (layers: Layers, edges: Edges | undefined, isDrawnShown: boolean) => {
  const canvas = document.createElement('canvas');
  canvas.width = layers.canvas.width;
  canvas.height = layers.canvas.height;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('The browser gives no canvas');
  pen.drawImage(layers.canvas, 0, 0);
  for (const over of overlaysToInclude(layers.over, isDrawnShown)) await drawOver(pen, over, layers.box);
  if (edges) drawEdges(pen, edges, canvas);
  return canvas;
};

type PictureContent = { layers: Layers; edges: Edges | undefined; words: PictureText; isDrawnShown: boolean };

/** Composes a picture: text above and below, and between them the image at its own resolution. */
export const composePicture = async ({
  layers,
  edges,
  words,
  isDrawnShown,
}: PictureContent): Promise<HTMLCanvasElement> => {
  await document.fonts.ready;
  const picture = await withDrawn(layers, edges, isDrawnShown);
  const letters = lettersFor(picture.width);
  const [margin, pitch] = [Math.ceil(letters * 0.75), Math.ceil(letters * 1.5)];
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(picture.width, leastWidth);
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('The browser gives no canvas');
  const fontOf = ({ isStrong }: Line) => `${isStrong ? 600 : 400} ${letters}px ${family}`;
  const rowsOf = (texts: readonly string[], colour: string, strong = -1): Line[] =>
    texts.flatMap((text, at) => {
      const line = { text, color: colour, isStrong: at === strong };
      pen.font = fontOf(line);
      return broken(pen, line, canvas.width - 2 * margin);
    });
  const above = [...rowsOf(words.above, colors.name, 0), ...rowsOf(words.cautions, colors.caution)];
  const below = rowsOf(words.below, colors.words);
  const heightOf = (rows: readonly Line[]) => (rows.length > 0 ? rows.length * pitch + 2 * margin : 0);
  // Sets the text style after the height, because a new height resets the canvas.
  canvas.height = heightOf(above) + picture.height + heightOf(below);
  pen.fillStyle = colors.paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, Math.floor((canvas.width - picture.width) / 2), heightOf(above));
  pen.textBaseline = 'middle';
  const write = (rows: readonly Line[], top: number) => {
    for (const [at, line] of rows.entries()) {
      pen.font = fontOf(line);
      pen.fillStyle = line.color;
      pen.fillText(line.text, margin, top + margin + (at + 0.5) * pitch);
    }
  };
  write(above, 0);
  write(below, heightOf(above) + picture.height);
  return canvas;
};

/** Encodes the canvas as PNG without metadata. */
export const asPng = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large for this browser'))));
  });

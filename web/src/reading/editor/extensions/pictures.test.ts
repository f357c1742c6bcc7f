import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toast } from '#core/browser/toasts.ts';
import { eventually } from '#test/eventually.ts';
import { reportExtensions } from './editor-extensions.ts';
import { resized } from './editor-image.ts';
import { insertFiles, insertPicture, pictureFrom } from './pictures.ts';

const open = (content = '<p>Words</p>') => {
  const editor = new Editor({ extensions: reportExtensions(() => {}), content, injectCSS: false });
  onTestFinished(() => editor.destroy());
  return editor;
};

const bytes = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Two images of one pixel. The second has text written by a camera (a tEXt chunk). */
const png = bytes('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==');
const chunk = [0, 0, 0, 8, ...new TextEncoder().encode('tEXtDoe Jane'), 1, 2, 3, 4];
const pngWithWords = Uint8Array.from([...png.subarray(0, 33), ...chunk, ...png.subarray(33)]);

const file = (content: BlobPart, name: string, type: string) => new File([content], name, { type });

/** Mocks drawing on a canvas, which jsdom lacks. */
const letDraw = (imageSize: { width: number; height: number }) => {
  const quality = vi.fn<(type: string | undefined, quality: number | undefined) => void>();
  const size = vi.fn<(width: number, height: number) => void>();
  vi.stubGlobal('createImageBitmap', async () => ({ ...imageSize, close: () => {} }));
  const pen = {
    fillRect: () => {},
    drawImage: (_: unknown, __: number, ___: number, w: number, h: number) => size(w, h),
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pen as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((give, type, requestedQuality) => {
    quality(type, requestedQuality as number);
    give(new Blob(['small'], { type: 'image/jpeg' }));
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  return { quality, size };
};

const failures = () => {
  const failureSpy = vi.spyOn(toast, 'failure').mockImplementation(() => {});
  onTestFinished(() => failureSpy.mockRestore());
  return failureSpy;
};

test('an inserted picture is reduced to 400 pixels at quality 0.5', async () => {
  const { quality, size } = letDraw({ width: 1600, height: 900 });

  const picture = await pictureFrom(file(png, 'a.png', 'image/png'));

  expect(picture).toEqual({ src: `data:image/jpeg;base64,${btoa('small')}`, width: 400, height: 225 });
  expect(size).toHaveBeenCalledWith(400, 225);
  expect(quality).toHaveBeenCalledWith('image/jpeg', 0.5);
});

test('an inserted small picture is not enlarged', async () => {
  letDraw({ width: 120, height: 80 });

  expect(await pictureFrom(file(png, 'a.png', 'image/png'))).toMatchObject({ width: 120, height: 80 });
});

test('a picture that the browser cannot draw is embedded unchanged, without its metadata', async () => {
  const picture = await pictureFrom(file(pngWithWords, 'a.png', 'image/png'));

  expect(picture).toEqual({ src: `data:image/png;base64,${btoa(String.fromCharCode(...png))}` });
});

test('the content of a picture file decides its type, not its name', async () => {
  const picture = await pictureFrom(file(png, 'a.txt', 'text/plain'));

  expect(picture.src).toMatch(/^data:image\/png/);
});

test.each([
  ['an HTML page with the name of an image', '<html><script>alert(1)</script></html>'],
  ['an SVG image with a script', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ['a text file', 'words'],
  ['an empty file', ''],
])('the editor accepts only image files: %s is refused', async (_, content) => {
  await expect(pictureFrom(file(content, 'a.png', 'image/png'))).rejects.toThrow(
    'Only PNG, JPEG, GIF and WebP images can be inserted',
  );
});

test('a picture file over 10 MB is refused', async () => {
  await expect(pictureFrom(file(new Uint8Array(10_000_001), 'a.png', 'image/png'))).rejects.toThrow(
    'The image is larger than 10 MB',
  );
});

test('a picture file of 10 MB is accepted', async () => {
  const largest = new Uint8Array(10_000_000);
  largest.set([0xff, 0xd8, 0xff]);

  expect((await pictureFrom(file(largest, 'a.jpg', 'image/jpeg'))).src).toMatch(/^data:image\/jpeg/);
});

test('several image files are inserted in order, and a message names the other files', async () => {
  const failureSpy = failures();
  const editor = open();

  await insertFiles(
    editor,
    [file(png, 'a.png', 'image/png'), file('words', 'notes.txt', 'text/plain'), file(pngWithWords, 'b.png', '')],
    7,
  );

  expect(editor.getHTML().match(/<img /g)).toHaveLength(2);
  expect(failureSpy).toHaveBeenCalledExactlyOnceWith('notes.txt: Only PNG, JPEG, GIF and WebP images can be inserted');
});

test('a file name, which may be a patient name, never enters the text', async () => {
  const editor = open();

  await insertFiles(editor, [file(png, 'Doe_Jane_1961.png', 'image/png')]);

  expect(editor.getHTML()).toContain('<img');
  expect(editor.getHTML()).not.toContain('Doe');
});

test('a picture that makes the report larger than 5 MB is refused with a message before it is sent', () => {
  const failureSpy = failures();
  const editor = open();
  const large = { src: `data:image/jpeg;base64,${'A'.repeat(2_600_000)}` };

  const answers = [insertPicture(editor, large), insertPicture(editor, large)];

  expect(answers).toEqual([true, false]);
  expect(failureSpy).toHaveBeenCalledExactlyOnceWith('The image was not inserted. The report would exceed 5 MB.');
});

const drop = (editor: Editor, kind: 'drop' | 'paste', files: File[], html = '') => {
  const transfer = {
    files,
    types: ['Files'],
    items: [],
    getData: (type: string) => (type === 'text/html' ? html : ''),
  };
  const event = Object.assign(new Event(kind, { bubbles: true, cancelable: true }), {
    dataTransfer: transfer,
    clipboardData: transfer,
    clientX: 0,
    clientY: 0,
  });
  editor.view.posAtCoords = () => ({ pos: 6, inside: 0 });
  editor.view.dom.dispatchEvent(event);
  return event;
};

test.each(['drop', 'paste'] as const)(
  'a picture is inserted by %s, and the browser does not open the file instead of the page',
  async (kind) => {
    const editor = open();

    const event = drop(editor, kind, [file(png, 'a.png', 'image/png')]);

    await eventually(() => expect(editor.getHTML()).toContain('<img'));
    expect(event.defaultPrevented).toBe(true);
    // The picture is selected, so that the field for its description appears.
    expect(editor.isActive('image')).toBe(true);
  },
);

test.each(['drop', 'paste'] as const)('a file that is no picture is refused with a message by %s', async (kind) => {
  const failureSpy = failures();
  const editor = open();

  drop(editor, kind, [file('words', 'a.txt', 'text/plain')]);

  await eventually(() => expect(failureSpy).toHaveBeenCalledWith(expect.stringContaining('Only PNG, JPEG')));
  expect(editor.getHTML()).toBe('<p>Words</p>');
});

test('pasting removes pictures of other sites and keeps the text', () => {
  const info = vi.spyOn(toast, 'info').mockImplementation(() => {});
  onTestFinished(() => info.mockRestore());
  const editor = open('<p></p>');

  drop(editor, 'paste', [], '<p>Prior <img src="https://example.org/track.png">report</p>');

  expect(editor.getText()).toBe('Prior report');
  expect(editor.getHTML()).not.toContain('img');
  expect(info).toHaveBeenCalledWith(expect.stringContaining('were left out'));
});

test('neither keys nor dragging a corner make a picture smaller than 50 pixels', () => {
  expect(resized({ width: 100, height: 80 }, 0.01)).toEqual({ width: 63, height: 50 });
  const image = open().extensionManager.extensions.find(({ name }) => name === 'image');
  expect(image?.options).toMatchObject({
    resize: { enabled: true, minWidth: 50, minHeight: 50, alwaysPreserveAspectRatio: true },
  });
});

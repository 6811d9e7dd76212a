import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { chromium, type Page } from 'playwright-core';
import { createMockService } from '../src/mock/index.js';
import { fillWithDemoData } from '../test/browser/demo-data.js';
import { initiate, order } from '../test/helpers/signed-requests.js';

// Takes the pictures of the README: `npm run generate -- screenshots`, with Debian's Chromium.
const folder = new URL('../examples/screenshots/', import.meta.url);

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: readonly number[];
}

const readPixels = `async (url) => {
  const image = await createImageBitmap(await (await fetch(url)).blob());
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { width, height, data } = context.getImageData(0, 0, image.width, image.height);
  return { width, height, data: [...data] };
}`;

const colours = 6;

const distance = (a: number, b: number) =>
  [16, 8, 0].reduce((sum, shift) => sum + (((a >> shift) & 255) - ((b >> shift) & 255)) ** 2, 0);

/** The most frequent colour, then always the one that is the worst represented so far. */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
  const palette: number[] = [];
  const missing = new Map(counts);
  while (palette.length < Math.min(colours, counts.size)) {
    const [next] = [...missing].reduce((worst, each) => (each[1] > worst[1] ? each : worst));
    palette.push(next);
    for (const [colour, count] of counts) {
      const nearest = Math.min(...palette.map((each) => distance(each, colour)));
      missing.set(colour, count * nearest);
    }
  }
  return palette;
}

/** A picture with few colours, two pixels in a byte: text stays readable, and the package small. */
function withPalette({ width, height, data }: Pixels): Buffer {
  const pixels = Array.from({ length: width * height }, (_, index) => {
    const [red = 0, green = 0, blue = 0] = data.slice(4 * index, 4 * index + 3);
    return (red << 16) | (green << 8) | blue;
  });
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const palette = paletteOf(counts);
  const nearest = new Map(
    [...counts.keys()].map((colour) => {
      const distances = palette.map((each) => distance(each, colour));
      return [colour, distances.indexOf(Math.min(...distances))];
    }),
  );
  const rowBytes = 1 + Math.ceil(width / 2);
  const rows = Buffer.alloc(height * rowBytes);
  for (const [index, pixel] of pixels.entries()) {
    const column = index % width;
    const at = Math.floor(index / width) * rowBytes + 1 + (column >> 1);
    rows[at] = (rows[at] ?? 0) | ((nearest.get(pixel) ?? 0) << (column % 2 === 0 ? 4 : 0));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([4, 3, 0, 0, 0], 8);
  const colourBytes = palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colourBytes)),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)]);
  framed.writeUInt32BE(data.length, 0);
  framed.writeUInt32BE(crc32(framed.subarray(4, -4)), framed.length - 4);
  return framed;
}

type Region = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

async function take(page: Page, name: string, clip: Region): Promise<void> {
  const png = await page.screenshot({ clip });
  const url = `data:image/png;base64,${png.toString('base64')}`;
  await page.goto('about:blank');
  const pixels = await page.evaluate<Pixels>(`(${readPixels})(${JSON.stringify(url)})`);
  const small = withPalette(pixels);
  await writeFile(new URL(`${name}.png`, folder), small);
  console.log(`${fileURLToPath(folder)}${name}.png: ${String(small.length)} bytes`);
}

const mock = createMockService();
const server = await mock.listen();
const { url } = server;
await fillWithDemoData(mock, url);
for (const key of ['KEY-1', 'KEY-2']) {
  const { path, init } = initiate(order({ referenceId: 'ORDER:2026-0006' }), { key });
  await fetch(url + path, init);
}
// As PHP does: signed with json_encode, which escapes slashes and Vietnamese letters, and sent without.
const body = JSON.stringify(order({ referenceId: 'ORDER:2026-0007' }));
const escaped = body
  .replaceAll('/', String.raw`\/`)
  .replaceAll(
    /[^\x20-\x7e]/g,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0'),
  );
const { path, init } = initiate(escaped);
await fetch(url + path, { ...init, body });

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 900, height: 1400 }, colorScheme: 'light' });
await page.goto(`${url}/_mock/ui/requests/${String(mock.journal.all().at(-1)?.id)}`);
await page.getByText('Live').waitFor();
const diagnosis = await page.getByRole('region', { name: 'The signature does not match' }).boundingBox();
if (!diagnosis) throw new Error('the page has no diagnosis');
// Its first lines say enough, and a third of the bytes.
await take(page, 'signature', { ...diagnosis, height: 303 });

const unpaid = mock.payments.all().find(({ status }) => status === 'pending');
if (!unpaid) throw new Error('there is no payment to make');
await page.setViewportSize({ width: 640, height: 900 });
await page.goto(unpaid.paymentUrl);
await take(page, 'payment', { x: 0, y: 0, width: 640, height: 404 });
await browser.close();
await server.close();

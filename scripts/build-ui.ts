import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ui = new URL('../src/mock/ui/', import.meta.url);

/** A module with everything that the pages load: styles, scripts and the icon, by the name each is served under. */
export async function buildUi(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(ui),
    entryPoints: [
      'assets/icon.svg',
      'assets/inspector.css',
      'assets/payment.css',
      'browser/inspector.ts',
      'browser/payment.ts',
    ],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    loader: { '.svg': 'copy' },
    outdir: 'out',
    write: false,
  });
  const assets = outputFiles
    .map(({ path, text }) => `  '${basename(path)}': ${JSON.stringify(text)},\n`)
    .sort()
    .join('');
  return `// Written by \`npm run generate -- ui\`.
export const assets: Readonly<Record<string, string>> = {
${assets}};
`;
}

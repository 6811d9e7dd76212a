import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/**
 * A module with the files that some pages load (styles, scripts and an icon), by the names under which they are
 * served.
 */
export async function builtAssets(...entryPoints: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: source,
    entryPoints: [...entryPoints],
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

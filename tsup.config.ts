import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { defineConfig } from 'tsup';

// What is imported, by the names in package.json's exports.
const entries = {
  index: 'src/index.ts',
  bullmq: 'src/bullmq/index.ts',
  lender: 'src/lender/index.ts',
  'mock/index': 'src/mock/index.ts',
  'mock/msw': 'src/mock/adapters/msw.ts',
  'mock/remote': 'src/mock/remote/index.ts',
  webhooks: 'src/webhooks/index.ts',
};

/** A source map that names a file and holds nothing of it. */
function briefMap(path: string): string {
  const map = { version: 3, sources: [basename(path)], sourcesContent: [''], names: [], mappings: 'AAAA' };
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
}

/** The folders of the packages whose code is in the bundle, as in `node_modules/ky`. */
function foldersIn({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.map(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] : undefined,
  );
  return [...new Set(folders)].filter((folder) => folder !== undefined);
}

async function licenseOf(folder: string): Promise<string> {
  const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled, and its license cannot be found`);
  const text = await readFile(join(folder, file), 'utf8');
  return `${name}\n${'='.repeat(name.length)}\n\n${text.trim()}\n`;
}

// Of both formats; whichever build is last writes the list.
const bundled = new Set<string>();

/** Keeps the text of bundled packages and of generated code out of the source maps, and ships the licenses. */
const bundledPackages: Plugin = {
  name: 'bundled-packages',
  setup(build) {
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const code = (await readFile(path, 'utf8')).replace(/^\/\/# sourceMappingURL=.*$/m, '');
      return { contents: `${code}\n${briefMap(path)}` };
    });
    build.onLoad({ filter: /[\\/]generated\.ts$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\n${briefMap(path)}`,
      loader: 'ts',
    }));
    build.onEnd(async ({ metafile }) => {
      if (!metafile) throw new Error('the list of what is bundled is missing');
      for (const folder of foldersIn(metafile)) bundled.add(folder);
      const licenses = await Promise.all([...bundled].sort().map(licenseOf));
      await mkdir('dist', { recursive: true });
      await writeFile('dist/THIRD-PARTY-LICENSES.txt', licenses.join('\n\n'));
    });
  },
};

/** A source of the client: what a stack trace of a merchant's leads to. */
const isOfClient = (source: string) => /\bsrc\/(?!mock\/|cli\/)/.test(source);

/**
 * Keeps the source maps of the client. Those of the mock, which is mostly bundled code and pages, would be half of the
 * package. tsup writes where it ran into the maps of the CommonJS output, which is no business of another machine.
 */
async function tidyMaps(): Promise<void> {
  const files = await readdir('dist', { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.map'))) {
    const path = join('dist', file);
    const map = JSON.parse(await readFile(path, 'utf8')) as { file?: string; sources: string[] };
    if (map.sources.some(isOfClient)) {
      delete map.file;
      map.sources = map.sources.map((source) => (isAbsolute(source) ? basename(source) : source));
      await writeFile(path, JSON.stringify(map));
      continue;
    }
    await rm(path);
    const script = path.replace(/\.map$/, '');
    const code = await readFile(script, 'utf8');
    await writeFile(script, code.replace(/^\/\/# sourceMappingURL=.*$/m, ''));
  }
}

export default defineConfig({
  onSuccess: tidyMaps,
  entry: { ...entries, cli: 'src/cli/main.ts' },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  // Types only, and few: a package for them would be one more in every install.
  dts: { entry: entries, resolve: ['@standard-schema/spec'] },
  sourcemap: true,
  // Shared chunks: one copy of each class per format, whichever entries are loaded.
  splitting: true,
  // zod's plain import loads every locale; ky is for CommonJS only, see below; the others only the mock needs.
  noExternal: ['ky', 'zod', 'hono', '@remix-run/multipart-parser', 'uqr', 'diff'],
  removeNodeProtocol: false,
  esbuildPlugins: [bundledPackages],
  esbuildOptions(options, { format }) {
    const { entryPoints } = options;
    // ky is an ES module only: a require of it fails on Node 20 and under Jest.
    if (format === 'esm') options.external = [...(options.external ?? []), 'ky'];
    // The command line is run, never required.
    if (format === 'cjs' && entryPoints && !Array.isArray(entryPoints)) {
      const { cli: _cli, ...required } = entryPoints;
      options.entryPoints = required;
    }
  },
});

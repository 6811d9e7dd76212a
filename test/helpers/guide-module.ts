import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { transform } from 'esbuild';
import { snippetsOf } from './snippets.js';

/** The module of a guide: its first sample that contains a text, imported as a reader would run it. */
export async function guideModule<T>(
  guide: string,
  containing: string,
  change = (code: string) => code,
): Promise<T> {
  const snippet = snippetsOf(await readFile(guide, 'utf8'), guide).find(({ code }) =>
    code.includes(containing),
  );
  const { code } = await transform(change(snippet?.code ?? ''), { loader: 'ts', target: 'node20' });
  const file = resolve(`test/.guide-handler-${process.pid}-${performance.now()}.mjs`);
  await writeFile(file, code);
  try {
    return (await import(/* @vite-ignore */ file)) as T;
  } finally {
    await rm(file);
  }
}

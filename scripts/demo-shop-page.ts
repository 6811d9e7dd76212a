import { readFile } from 'node:fs/promises';
import prettier from 'prettier';

const source = 'src/workbench/cli/demo-shop.ts';

/** The code of a region, without its indentation. */
function region(code: string, name: string): string {
  const [, lines] = new RegExp(`^ *// #region ${name}\\n([^]*?)^ *// #endregion$`, 'm').exec(code) ?? [];
  if (lines === undefined) throw new Error(`${source} has no region ${name}`);
  return lines.replaceAll(/^ {2}/gm, '');
}

/** A guide with the regions of the demo's shop at their places. */
export async function demoShopPage(guide: string): Promise<string> {
  const code = await readFile(source, 'utf8');
  const text = await readFile(guide, 'utf8');
  for (const [, name = ''] of code.matchAll(/^ *\/\/ #region (\w+)$/gm)) {
    if (!text.includes(`<!-- demo shop: ${name} -->`)) throw new Error(`${guide} has no part for ${name}`);
  }
  const page = text.replaceAll(
    /(<!-- demo shop: (\w+) -->)[^]*?(<!-- end of demo shop -->)/g,
    // The fence has a title, because it is a part of a file, so no test runs it alone.
    (_part, begin: string, name: string, end: string) =>
      `${begin}\n\n\`\`\`ts [demo-shop.ts]\n${region(code, name)}\`\`\`\n\n${end}`,
  );
  const options = await prettier.resolveConfig(guide);
  return prettier.format(page, { ...options, parser: 'markdown' });
}

import { readdirSync, readFileSync } from 'node:fs';
import { format } from 'prettier';
import ts from 'typescript';
import { expect, it } from 'vitest';

const browser = new URL('../../src/mock/ui/browser/', import.meta.url);

/** A module as a browser takes it: without its types and comments. */
function script(file: string): string {
  const source = readFileSync(new URL(file, browser), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022, removeComments: true },
  });
  return outputText;
}

it('the scripts that the pages load are those of ui/browser (npx vitest run test/mock/pages-scripts -u writes them)', async () => {
  const files = readdirSync(browser).filter((file) => file.endsWith('.ts'));
  const entries = files.sort().map((file) => {
    const text = script(file).replaceAll(/[\\`$]/g, String.raw`\$&`);
    return `'${file.replace('.ts', '.js')}': \`${text}\`,`;
  });
  const module = `// Written from ui/browser by test/mock/pages-scripts.test.ts, which says how.

/** The scripts of the pages, by the names under which they are served. */
export const scripts: Readonly<Record<string, string>> = { ${entries.join('\n')} };
`;
  const formatted = await format(module, { parser: 'typescript', printWidth: 110, singleQuote: true });
  await expect(formatted).toMatchFileSnapshot('../../src/mock/ui/assets/scripts.ts');
});

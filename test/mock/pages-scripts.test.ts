import { readFileSync } from 'node:fs';
import { format } from 'prettier';
import ts from 'typescript';
import { expect, it } from 'vitest';

const browser = new URL('../../src/mock/pages/browser/', import.meta.url);

/** A script as a browser takes it: without its types and comments. */
function script(name: string): string {
  const source = readFileSync(new URL(`${name}.ts`, browser), 'utf8');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022, removeComments: true },
  });
  return outputText;
}

it('the scripts that the pages load are those of pages/browser (npx vitest run test/mock/pages-scripts -u writes them)', async () => {
  const template = (text: string) => `\`${text.replaceAll(/[\\`$]/g, String.raw`\$&`)}\``;
  const module = `// Written from pages/browser by test/mock/pages-scripts.test.ts, which says how.

export const inspectorScript = ${template(script('inspector'))};

export const paymentScript = ${template(script('payment'))};
`;
  const formatted = await format(module, { parser: 'typescript', printWidth: 110, singleQuote: true });
  await expect(formatted).toMatchFileSnapshot('../../src/mock/pages/scripts.ts');
});

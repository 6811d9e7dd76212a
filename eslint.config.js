import vitest from '@vitest/eslint-plugin';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  // The planted backends and the servers of other hands, in plain JavaScript, are not ours to type.
  {
    ignores: [
      '.ci/',
      'dist/',
      'coverage/',
      'site/',
      '.site*/',
      'node_modules/',
      // Folders and files that tests make and remove while they run.
      'test/.*/',
      'test/.*.mjs',
      'test/workbench/rehearsal/merchants/**/*.mjs',
      'test/slow/probe/servers/*.mjs',
      // Drivers that are installed when their test first runs.
      'test/databases/adapters/',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        // Not the project service, which builds a program for each file that no configuration has.
        project: ['tsconfig.json', 'tsconfig.browser.json', 'examples/nestjs/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      // Field names of the wire are read by their names in index signatures; tsconfig asks for brackets there.
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'node:events',
              importNames: ['addAbortListener'],
              message: 'Node 20.0 to 20.4 do not have it: use addEventListener.',
            },
          ],
        },
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message: 'Wrong on Node 20 once optimised: use toUrl of protocol/urls.ts.',
        },
      ],
    },
  },
  {
    // A run fails with .only and with a test that asserts nothing (vitest.config.ts); this finds tests that do not run.
    files: ['**/*.{test,browser,databases}.ts'],
    plugins: { vitest },
    rules: {
      'vitest/no-disabled-tests': 'error',
      'vitest/no-focused-tests': 'error',
      'vitest/no-commented-out-tests': 'error',
      'vitest/no-conditional-tests': 'error',
      'vitest/no-identical-title': 'error',
      'vitest/warn-todo': 'error',
    },
  },
  {
    // An example of asynchronous functions, over a Map.
    files: ['examples/orders/memory-storage.ts'],
    rules: { '@typescript-eslint/require-await': 'off' },
  },
  {
    // NestJS declares the options of an application as a class, and takes an object literal.
    files: ['examples/webhooks/nest*.ts'],
    rules: { '@typescript-eslint/no-unsafe-class-instance-assignment': 'off' },
  },
);

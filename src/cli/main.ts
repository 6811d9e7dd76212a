#!/usr/bin/env node
import { run } from './run.js';

run(process.argv.slice(2), {
  env: process.env,
  signals: process,
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
}).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);

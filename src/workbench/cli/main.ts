#!/usr/bin/env node
import { fstatSync, writeSync } from 'node:fs';
import { codeOf, reasonOf } from '../../values/reason-of.js';
import { runCommandLine } from './run.js';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: Error) => {
    // The reader of the output can stop early, as `head` does. The command, such as a mock, must keep running.
    if (codeOf(error) === 'EPIPE') return;
    writeSync(2, `Cannot write the output (${reasonOf(error)}).\n`);
    process.exit(1);
  });
}

function isPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    // The descriptor is closed.
    return false;
  }
}

runCommandLine(process.argv.slice(2), {
  env: process.env,
  signals: process,
  // This is a getter, because the first access to `process.stdin` opens standard input.
  get input() {
    return process.stdin;
  },
  inputIsPipe: isPipe(0),
  parentId: () => process.ppid,
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

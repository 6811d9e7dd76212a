/**
 * Fails unless a package.json says where the project is: npm attests it, and users report mistakes there.
 *
 *   node .ci/check-publishable.mjs [FILE]
 */
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(process.argv[2] ?? 'package.json', 'utf8'));
const missing = ['repository', 'homepage', 'bugs'].filter((field) => !manifest[field]);
if (missing.length > 0) {
  console.error(`package.json has no ${missing.join(', no ')}: set what is missing before a release.`);
  process.exitCode = 1;
}

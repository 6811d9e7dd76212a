// npm run search [-- NAME ...]: visits every state of all models, or of those with these names.
import { largerModels, nightlyModels, smallModels } from './models.js';
import { search } from './search.js';

const names = process.argv.slice(2);
const models = [...smallModels, ...largerModels, ...nightlyModels];
for (const model of names.length === 0 ? models : models.filter(({ name }) => names.includes(name))) {
  const startedAt = performance.now();
  const { states, violation } = search(model, {
    onProgress: (count) => process.stderr.write(`\r${model.name}: ${count.toLocaleString('en')} states`),
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stderr.write('\r');
  console.log(`${model.name}: ${states.toLocaleString('en')} states in ${seconds} s`);
  if (violation) console.error(`${violation.what}\n  ${violation.steps.join('\n  ')}`);
  else if (states !== model.states)
    console.error(`models.ts says ${model.states.toLocaleString('en')} states.`);
  if (violation || states !== model.states) process.exitCode = 1;
}

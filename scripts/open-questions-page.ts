import prettier from 'prettier';
import { openQuestions, type OpenQuestion } from '../src/protocol/open-questions.js';

/** The guide to what the specification leaves open, as Markdown. `npm run open-questions` writes it. */
export async function openQuestionsPage(): Promise<string> {
  const questions: readonly OpenQuestion[] = Object.values(openQuestions);
  const rows = questions.map(
    ({ question, decision, change }) =>
      `| ${question} | ${decision} | ${change === undefined ? '' : `\`${change}\``} |`,
  );
  const page = [
    '# What the specification leaves open',
    '',
    "Where the service's document is silent, this package makes a decision. None of them is a fact about the service:",
    'ask yours, and change the decision where there is a switch. In `openapi.json` the same sentences stand under',
    '`x-decision`.',
    '',
    '| not stated | decision of this package | to change it |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
  const options = await prettier.resolveConfig('docs/open-questions.md');
  return prettier.format(page, { ...options, parser: 'markdown' });
}

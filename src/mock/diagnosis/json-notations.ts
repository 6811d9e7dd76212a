import type { Draft, Stage } from './draft.js';
import { formIngredients, valuesOnly } from './json-forms.js';
import { notJson } from './not-json.js';
import { notations, writer } from './notations.js';

/** The body written in another notation than JSON. */
export const notationIngredients: Stage<Draft> = [
  ...notations.map((notation, index) => ({
    ...notJson(
      'other-notation',
      index < 2 ? 3 : 4,
      `The body was signed as ${notation.name} instead of as JSON.`,
      'Sign the text that is sent. Python: json.dumps(order), not str(order). Java: mapper.writeValueAsString(order), not order.toString(). Ruby: JSON.generate(order), not order.to_s. Go: json.Marshal(order), not fmt.Sprint.',
      writer(notation),
    ),
    isHabit: index < 2,
  })),
  ...formIngredients(),
  ...['', '|', '&', ',', ':', '\n'].map((separator) =>
    notJson(
      'body-part',
      5,
      `Only the values of the body were signed, joined by ${separator === '' ? 'nothing' : JSON.stringify(separator)}.`,
      'Sign the JSON body exactly as it is sent.',
      valuesOnly(separator),
    ),
  ),
];

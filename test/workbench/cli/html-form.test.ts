import { describe, expect, test } from 'vitest';
import { formFields, submitForm } from '../../../src/workbench/cli/html-form.js';

const pageUrl = 'http://shop.test/carts/7?step=2';

/** The request of a page's form. */
function sent(html: string, fields = '') {
  const request = submitForm(html, pageUrl, new URLSearchParams(fields));
  return request && { ...request, body: request.body && [...request.body] };
}

/** The fields that a form sends with these controls. */
const fieldsOf = (controls: string, fields = '') =>
  sent(`<form method=post>${controls}</form>`, fields)?.body;

describe('the fields of a form', () => {
  test.each([
    [
      'hidden inputs in any quoting',
      `<input type=hidden name=a value=1><INPUT NAME='b' value="2">`,
      'a=1&b=2',
    ],
    ['entities', '<input name="a&amp;b" value="&lt;1&gt; &#273;">', 'a%26b=%3C1%3E+%C4%91'],
    ['an input without a value', '<input name=a>', 'a='],
    ['a textarea', '<textarea name=a>\n1 &amp; <b>2</textarea>', 'a=1+%26+%3Cb%3E2'],
    [
      'checkboxes and radio buttons that are checked',
      '<input type=checkbox name=a checked><input type=checkbox name=b><input type=radio name=c value=1><input type=radio name=c value=2 checked>',
      'a=on&c=2',
    ],
    ['the selected option', '<select name=a><option value=1>x<option value=2 selected>y</select>', 'a=2'],
    ['the first enabled option', '<select name=a><option disabled>x<option> y  z</select>', 'a=y+z'],
    [
      'each selected option of several',
      '<select name=a multiple><option selected>1<option>2<option selected>3</select>',
      'a=1&a=3',
    ],
    [
      'the first submit button alone',
      '<button name=a value=1>x</button><button name=b value=2>y</button>',
      'a=1',
    ],
    ['an input that submits', '<input type=button name=a value=1><input type=submit name=b value=2>', 'b=2'],
  ])('include %s', (_what, controls, expected) => {
    expect(fieldsOf(controls)).toEqual([...new URLSearchParams(expected)]);
  });

  test.each([
    ['controls of another form', '</form><form id=f></form><input form=f name=a>'],
    ['comments', '<!-- <input name=a value=1> -->'],
    ['templates', '<template><input name=a value=1></template>'],
    ['scripts', '<script>"<input name=a value=1>"</script>'],
    ['controls without a name', '<input value=1>'],
    ['disabled controls', '<input name=a disabled><fieldset disabled><input name=b></fieldset>'],
    ['other buttons', '<button type=button name=a value=1>x</button><input type=reset name=b value=2>'],
  ])('exclude %s', (_what, controls) => {
    expect(fieldsOf(controls)).toEqual([]);
  });

  test('include those of a control outside of the form that names the form', () => {
    const request = sent('<form id=f method=post></form><input form=f name=a value=1>');
    expect(request?.body).toEqual([['a', '1']]);
  });

  test('are replaced by the fields that the customer fills in', () => {
    expect(fieldsOf('<input name=a value=1><input name=b value=2>', 'a=3&c=4')).toEqual([
      ['b', '2'],
      ['a', '3'],
      ['c', '4'],
    ]);
  });

  test('include the button that the customer chooses', () => {
    const buttons =
      '<button name=do value=save>x</button><button name=do value=pay formaction=/pay>y</button>';
    const request = sent(`<form method=post>${buttons}</form>`, 'do=pay');
    expect(request).toMatchObject({ url: 'http://shop.test/pay', body: [['do', 'pay']] });
  });

  test('contain the name of the order', () => {
    expect([...formFields('note={order}&name=An+B\n', 'x&1')]).toEqual([
      ['note', 'x&1'],
      ['name', 'An B'],
    ]);
  });
});

describe('the form of a page', () => {
  test('is the first form that has the fields', () => {
    const html = '<form action=/search><input name=q></form><form action=/pay><input name=card></form>';
    expect(sent(html, 'card=1')?.url).toBe('http://shop.test/pay?card=1');
  });

  test.each(['', 'card=1'])(
    'is the first form with the method POST that is not a search, if no form has the fields %j',
    (fields) => {
      const html = '<form action=/search><input name=q></form><form method=post action=/pay></form>';
      expect(sent(html, fields)).toMatchObject({ url: 'http://shop.test/pay', method: 'POST' });
    },
  );

  test('is the first form of the page if no form has the fields', () => {
    const html = '<form action=/a><input name=q></form><form action=/b></form>';
    expect(sent(html, 'card=1')?.url).toBe('http://shop.test/a?q=&card=1');
  });

  test('is undefined if the page has no form', () => {
    expect(sent('<p>Sold out</p><!-- <form></form> -->')).toBeUndefined();
  });
});

describe('the request of a form', () => {
  test.each([
    ['no action', '<form method=post>', pageUrl],
    ['an empty action', '<form method=post action="">', pageUrl],
    ['a relative action', '<form method=POST action="pay?x=1#top">', 'http://shop.test/carts/pay?x=1'],
    ['a base', '<base href="/vi/"><form method=post action=pay>', 'http://shop.test/vi/pay'],
    [
      'another origin',
      '<form method=post action="https://pay.test/?a=1&amp;b=2">',
      'https://pay.test/?a=1&b=2',
    ],
    ['an action that is no URL', '<form method=post action="http://">', pageUrl],
  ])('goes to the URL of a form with %s', (_what, html, url) => {
    expect(sent(`${html}<input name=a value=1></form>`)).toEqual({ url, method: 'POST', body: [['a', '1']] });
  });

  test('contains the fields in its query if the method is not POST', () => {
    expect(sent('<form action="/pay?old=1"><input name=a value="x y"></form>')).toEqual({
      url: 'http://shop.test/pay?a=x+y',
      method: 'GET',
      body: undefined,
    });
  });

  test('is urlencoded, and contains only the name of a file', () => {
    const request = submitForm(
      '<form method=post><input type=file name=a></form>',
      pageUrl,
      new URLSearchParams(),
    );
    expect(request?.body).toBeInstanceOf(URLSearchParams);
    expect(String(request?.body as URLSearchParams)).toBe('a=');
  });

  test('is multipart for a server action, with an empty file for each file input', () => {
    const action = '<input type="hidden" name="$ACTION_ID_40c7"/><input type="file" name="scan"/>';
    const html = `<form action="" encType="multipart/form-data" method="POST">${action}</form>`;
    const request = submitForm(html, pageUrl, new URLSearchParams('name=An'));
    const body = request?.body as FormData;
    expect(body).toBeInstanceOf(FormData);
    expect(
      [...body].map(([name, value]) => [name, value instanceof File ? [value.name, value.size] : value]),
    ).toEqual([
      ['$ACTION_ID_40c7', ''],
      ['scan', ['', 0]],
      ['name', 'An'],
    ]);
  });

  test('follows the attributes of the submit button', () => {
    const button =
      '<button name="$ACTION_ID_1" formaction="/act" formmethod="post" formenctype="multipart/form-data">Pay</button>';
    const request = submitForm(`<form>${button}</form>`, pageUrl, new URLSearchParams());
    expect(request).toMatchObject({ url: 'http://shop.test/act', method: 'POST' });
    expect([...(request?.body as FormData)]).toEqual([['$ACTION_ID_1', '']]);
  });
});

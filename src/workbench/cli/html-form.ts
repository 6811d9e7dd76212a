import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { orUndefined } from '../../values/untrusted-values.js';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;
type Entry = readonly [name: string, value: string | File];

/** The request that a browser sends when a form is submitted. */
export interface FormRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly body?: URLSearchParams | FormData;
}

const buttonTypes = ['submit', 'image'];
const typesWithoutEntry = [...buttonTypes, 'button', 'reset'];

/**
 * Fills in a form of an HTML page and returns the request of its submit button. Returns undefined if the page contains
 * no form. `fields` replace the values of the page. If the page contains several forms, the first of these is used:
 *
 * 1. the first form that has a control for each name in `fields`, if `fields` is not empty
 * 2. the first form with the method POST
 * 3. the first form
 */
export function submitForm(html: string, pageUrl: string, fields: URLSearchParams): FormRequest | undefined {
  const elements = elementsOf(parse(html));
  const forms = elements.filter(({ tagName }) => tagName === 'form');
  const controlsOf = (form: Element) =>
    elements.filter((element) => formOf(element, elements) === form && !isDisabled(element));
  const names = [...new Set(fields.keys())];
  const hasFields = (form: Element) => {
    const controls = controlsOf(form);
    return names.every((name) => controls.some((control) => attribute(control, 'name') === name));
  };
  const isPost = (form: Element) => attribute(form, 'method')?.toLowerCase() === 'post';
  const form = (names.length > 0 ? forms.find(hasFields) : undefined) ?? forms.find(isPost) ?? forms[0];
  if (!form) return undefined;

  const controls = controlsOf(form);
  const buttons = controls.filter(isSubmitButton);
  const isChosen = (button: Element) =>
    fields.getAll(attribute(button, 'name') ?? '').includes(attribute(button, 'value') ?? '');
  const button = buttons.find(isChosen) ?? buttons[0];
  const entries = controls
    .flatMap((control) => (control === button ? buttonEntry(control) : entriesOf(control)))
    .filter(([name]) => !fields.has(name));
  entries.push(...fields);

  const setting = (name: string) => (button && attribute(button, `form${name}`)) ?? attribute(form, name);
  const base = elements.find(
    ({ tagName, attrs }) => tagName === 'base' && attrs.some(({ name }) => name === 'href'),
  );
  const baseUrl = resolved(base && attribute(base, 'href'), pageUrl);
  const action = setting('action');
  const url = new URL(action ? resolved(action, baseUrl) : pageUrl);
  url.hash = '';
  if (setting('method')?.toLowerCase() !== 'post') {
    url.search = urlencoded(entries).toString();
    return { url: url.href, method: 'GET' };
  }
  const isMultipart = setting('enctype')?.toLowerCase() === 'multipart/form-data';
  return { url: url.href, method: 'POST', body: isMultipart ? multipart(entries) : urlencoded(entries) };
}

/** Parses the fields of a text such as `name=An&note={order}`. */
export function formFields(text: string, order: string): URLSearchParams {
  return new URLSearchParams(text.trim().replaceAll('{order}', encodeURIComponent(order)));
}

function resolved(address: string | undefined, base: string): string {
  return orUndefined(() => new URL(address ?? '', base).href) ?? base;
}

function urlencoded(entries: readonly Entry[]): URLSearchParams {
  const data = new URLSearchParams();
  for (const [name, value] of entries) data.append(name, typeof value === 'string' ? value : value.name);
  return data;
}

function multipart(entries: readonly Entry[]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

/** Returns the elements below a node, in the order of the page. Comments and templates are left out. */
function elementsOf(node: Node): Element[] {
  const children = 'childNodes' in node ? node.childNodes : [];
  return children.flatMap((child) => ('tagName' in child ? [child, ...elementsOf(child)] : []));
}

function ancestorsOf(element: Element): Element[] {
  const { parentNode } = element;
  return parentNode && 'tagName' in parentNode ? [parentNode, ...ancestorsOf(parentNode)] : [];
}

/** Returns the form to which a control belongs: the form around it, unless a `form` attribute names another form. */
function formOf(control: Element, elements: readonly Element[]): Element | undefined {
  if (!['input', 'button', 'select', 'textarea'].includes(control.tagName)) return undefined;
  const id = attribute(control, 'form');
  const isForm = ({ tagName }: Element) => tagName === 'form';
  if (id === undefined) return ancestorsOf(control).find(isForm);
  return elements.find((element) => isForm(element) && attribute(element, 'id') === id);
}

function isDisabled(control: Element): boolean {
  return [control, ...ancestorsOf(control).filter(({ tagName }) => tagName === 'fieldset')].some(
    (element) => attribute(element, 'disabled') !== undefined,
  );
}

function isSubmitButton(control: Element): boolean {
  const type = typeOf(control);
  if (control.tagName === 'button') return !['button', 'reset'].includes(type);
  return control.tagName === 'input' && buttonTypes.includes(type);
}

function buttonEntry(button: Element): Entry[] {
  const name = attribute(button, 'name');
  return name ? [[name, attribute(button, 'value') ?? '']] : [];
}

/** Returns the entries of a control that the customer does not change. */
function entriesOf(control: Element): Entry[] {
  const name = attribute(control, 'name');
  const type = typeOf(control);
  if (!name || control.tagName === 'button' || typesWithoutEntry.includes(type)) return [];
  if (control.tagName === 'textarea') return [[name, textOf(control)]];
  if (control.tagName === 'select')
    return selectedOptions(control).map((option) => [name, optionValue(option)]);
  if (type === 'file') return [[name, new File([], '', { type: 'application/octet-stream' })]];
  const isCheckable = type === 'checkbox' || type === 'radio';
  if (!isCheckable) return [[name, attribute(control, 'value') ?? '']];
  return attribute(control, 'checked') === undefined ? [] : [[name, attribute(control, 'value') ?? 'on']];
}

function selectedOptions(select: Element): Element[] {
  const options = elementsOf(select).filter(
    (element) => element.tagName === 'option' && attribute(element, 'disabled') === undefined,
  );
  const selected = options.filter((option) => attribute(option, 'selected') !== undefined);
  if (attribute(select, 'multiple') !== undefined) return selected;
  return selected.length > 0 ? selected.slice(-1) : options.slice(0, 1);
}

function optionValue(option: Element): string {
  return attribute(option, 'value') ?? textOf(option).trim().replaceAll(/\s+/g, ' ');
}

function typeOf(control: Element): string {
  return attribute(control, 'type')?.toLowerCase() ?? '';
}

function attribute({ attrs }: Element, wanted: string): string | undefined {
  return attrs.find(({ name }) => name === wanted)?.value;
}

function textOf(node: Node): string {
  if (node.nodeName === '#text' && 'value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

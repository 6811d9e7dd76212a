import { parse, type DefaultTreeAdapterTypes } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

const invisible = ['head', 'script', 'style', 'template', 'noscript'];

/** Returns the text that a browser shows for an HTML page, without the page's scripts and styles. */
export function visibleText(html: string): string {
  return textsOf(parse(html)).join(' ');
}

function textsOf(node: Node): string[] {
  if (invisible.includes(node.nodeName)) return [];
  if (node.nodeName === '#text' && 'value' in node) return [node.value];
  return 'childNodes' in node ? node.childNodes.flatMap(textsOf) : [];
}

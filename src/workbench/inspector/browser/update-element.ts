const idOf = (node: Node) => (node instanceof Element ? node.id : '');

/**
 * Makes an element equal to a newer version of it. Unchanged parts stay in place, with their focus, their scroll
 * position and the text that was typed into them. Elements with an ID stay the same elements.
 */
export function updateElement(element: Element, newer: Element): void {
  if (element.isEqualNode(newer)) return;
  for (const { name } of [...element.attributes]) {
    // The attribute `open` stays, because the user opens and closes details.
    if (!newer.hasAttribute(name) && name !== 'open') element.removeAttribute(name);
  }
  for (const { name, value } of newer.attributes) element.setAttribute(name, value);
  updateChildren(element, newer);
}

function updateChildren(element: Element, newer: Element): void {
  const kept = new Set([...newer.childNodes].map(idOf));
  for (const child of [...element.childNodes]) if (!kept.has(idOf(child))) child.remove();
  let place = element.firstChild;
  for (const child of [...newer.childNodes]) {
    if (place?.nodeName !== child.nodeName || idOf(place) !== idOf(child)) {
      element.insertBefore(child, place);
      continue;
    }
    if (place instanceof Element && child instanceof Element) updateElement(place, child);
    else if (place.nodeValue !== child.nodeValue) place.nodeValue = child.nodeValue;
    place = place.nextSibling;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

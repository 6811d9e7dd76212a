/** Makes the copy buttons of a page work, including those added later. */
export function copyButtons(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    const source = document.getElementById(button?.dataset['copy'] ?? '');
    if (button && source) void copy(button, source);
  });
}

/** What a button said before its first click: a second click comes while it says "Copied". */
const labels = new WeakMap<HTMLElement, string>();

async function copy(button: HTMLElement, source: HTMLElement): Promise<void> {
  const label = labels.get(button) ?? button.textContent;
  labels.set(button, label);
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = 'Copied';
  } catch {
    // No clipboard outside a secure context: leave the text ready to be copied by hand.
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = label), 1000);
}

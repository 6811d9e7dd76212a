/** Makes the copy buttons of a page work, including those added later. */
export function copyButtons(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null;
    const source = document.getElementById(button?.dataset['copy'] ?? '');
    if (button && source) void copy(button, source);
  });
}

/** The text of each button before its first click. A second click can come while the text is "Copied". */
const labels = new WeakMap<HTMLElement, string>();

async function copy(button: HTMLElement, source: HTMLElement): Promise<void> {
  const label = labels.get(button) ?? button.textContent;
  labels.set(button, label);
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = 'Copied';
  } catch {
    // There is no clipboard outside a secure context. The text stays selected, so that the user can copy it.
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = label), 1000);
}

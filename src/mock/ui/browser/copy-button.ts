const saidMs = 1000;

/** Lets a button copy a text. Without this script there is no button. */
export function copyButton(button: HTMLButtonElement, source: HTMLElement): void {
  button.hidden = false;
  button.addEventListener('click', () => void copy(button, source));
}

async function copy(button: HTMLButtonElement, source: HTMLElement): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(source.textContent);
    button.textContent = 'Copied';
  } catch {
    // No clipboard outside a secure context: leave the text ready to be copied by hand.
    getSelection()?.selectAllChildren(source);
    button.textContent = 'Selected';
  }
  setTimeout(() => {
    button.textContent = label;
  }, saidMs);
}

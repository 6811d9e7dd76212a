/** Loads an order again each second while it can change. Without JavaScript, customers reload the page. */
export const liveScript = `
const partsOf = (page) => [...page.querySelectorAll('[data-live]')];
while (document.querySelector('.changing')) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const answer = await fetch(location.href).catch(() => undefined);
  if (!answer?.ok) continue;
  const next = partsOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  partsOf(document).forEach((part, index) => {
    if (part.innerHTML !== next[index].innerHTML) part.replaceChildren(...next[index].childNodes);
  });
}
`;

import { updateElement } from './update-element.js';

const pauseMs = 200;

/** True while the user fills in a field. */
const isTyping = () => document.activeElement?.matches('input, select') ?? false;

/** Loads the page again, and brings its live elements up to date. */
async function reload(): Promise<void> {
  const answer = await fetch(location.href);
  // A record that the mock no longer has stays on the page.
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const element of document.querySelectorAll('[data-live]')) {
    const newer = page.getElementById(element.id);
    if (newer) updateElement(element, newer);
  }
}

/** Keeps the page up to date: reloads it after a change of the mock, but not while the user types. */
export function followChanges(): void {
  let isOutdated = false;
  let isFollowing = false;
  const follow = async () => {
    isOutdated = true;
    if (isFollowing) return;
    isFollowing = true;
    while (isOutdated) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (isTyping()) continue;
      isOutdated = false;
      // If the mock is down, this fails. Once the mock is up, the stream opens again, which calls `follow`.
      await reload().catch(() => undefined);
    }
    isFollowing = false;
  };

  // A browser opens only a few connections to one server, so a hidden page closes its connection.
  let events: EventSource | undefined;
  const listen = () => {
    events?.close();
    if (document.hidden) return;
    events = new EventSource('/_mock/ui/changes');
    events.onopen = events.onmessage = () => {
      showConnection(true);
      void follow();
    };
    events.onerror = () => showConnection(false);
  };
  document.addEventListener('visibilitychange', listen);
  listen();
}

function showConnection(isLive: boolean): void {
  const place = document.querySelector<HTMLElement>('[data-connection]');
  if (!place) return;
  place.hidden = false;
  place.textContent = isLive ? 'Live' : 'Reconnecting';
  place.toggleAttribute('data-on', isLive);
}

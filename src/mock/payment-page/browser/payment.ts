// Counts down the time of a payment, and reloads the page at its end. The server decides whether the time is over.
import { remaining } from '../remaining.js';

const clock = document.querySelector<HTMLElement>('[data-left]');
const lowMs = 60_000;

if (clock) {
  // The countdown starts when the page arrives, because the browser's clock can differ from the mock's.
  const end = performance.now() + Number(clock.dataset['left']);
  const timer = setInterval(() => {
    const left = end - performance.now();
    if (left <= 0) {
      clearInterval(timer);
      location.reload();
      return;
    }
    clock.textContent = remaining(left);
    clock.toggleAttribute('data-low', left < lowMs);
  }, 1000);
}

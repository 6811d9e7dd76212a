// Counts a payment's time down. The server decides when it is over; this only asks again at that moment.
const clock = document.querySelector<HTMLElement>('[data-left]');

if (clock) {
  // Counted from the page's arrival: the browser's clock need not agree with the mock's.
  const end = performance.now() + Number(clock.dataset['left']);
  const lowMs = 60_000;
  const two = (value: number) => String(value).padStart(2, '0');
  const tick = () => {
    const left = end - performance.now();
    if (left <= 0) {
      clearInterval(timer);
      location.reload();
      return;
    }
    const seconds = Math.ceil(left / 1000);
    const hours = Math.floor(seconds / 3600);
    const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    clock.textContent = hours > 0 ? `${String(hours)}:${rest}` : rest;
    clock.toggleAttribute('data-low', left < lowMs);
  };
  const timer = setInterval(tick, 1000);
}

export {};

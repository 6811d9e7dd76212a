const digits = new Intl.NumberFormat('vi-VN', { maximumFractionDigits: 20 });

/** `12.000.000 ₫`: an amount as it is written in Vietnam, in any language of the page. */
export function dong(amount: number): string {
  return `${digits.format(amount)}\u00a0₫`;
}

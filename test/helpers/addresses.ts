/** Valid e-mail addresses. */
export const addresses = [
  'an@example.com',
  'an.nguyen+shop@mail.example.vn',
  "o'an@example.com",
  'user@example.xn--p1ai',
  'an@bücher.de',
  'nguyễn@thanhtoán.example',
  'an@localhost',
  'an@a-b.c--d.vn',
];

/** Texts that are not e-mail addresses. */
export const noAddresses = [
  '',
  'an',
  'an@',
  '@example.com',
  'an@@example.com',
  'an@b@c.vn',
  'an @example.com',
  'an@exam ple.com',
  'an@example.com\n',
  'a\0@b.vn',
  'an@b\u0085.vn',
  'a@-x.vn',
  'a@x-.vn',
  'a@x.-vn',
  'a@.vn',
  'a@x..vn',
  'a@x.',
];

/** A group of the side bar, in English and Vietnamese, and its pages: files of the repository. */
export interface PageGroup {
  readonly title: string;
  readonly titleVi: string;
  readonly pages: readonly (readonly [file: string, title: string])[];
}

/** The guides in the order in which they are needed. */
export const pageGroups: readonly PageGroup[] = [
  {
    title: 'Start',
    titleVi: 'Bắt đầu',
    pages: [
      ['README.md', 'First payment'],
      ['docs/payment-request.md', 'The payment request'],
      ['docs/after-the-redirect.md', 'After the redirect'],
      ['docs/webhooks.md', 'Webhooks'],
      ['docs/uploads.md', 'Uploading invoices'],
      ['docs/frameworks.md', 'Frameworks'],
      ['examples/README.md', 'Examples'],
    ],
  },
  {
    title: 'When something goes wrong',
    titleVi: 'Khi có lỗi',
    pages: [
      ['docs/outcomes-and-errors.md', 'Outcomes and errors'],
      ['docs/retries-and-idempotency.md', 'Retries and idempotency'],
      ['docs/incidents.md', 'Incidents'],
    ],
  },
  {
    title: 'Testing',
    titleVi: 'Kiểm thử',
    pages: [
      ['docs/rehearsal.md', 'Rehearsal'],
      ['docs/mock.md', 'The mock'],
      ['docs/worlds.md', 'Worlds of the mock'],
      ['docs/other-languages.md', 'Other languages'],
    ],
  },
  {
    title: 'In production',
    titleVi: 'Khi chạy thật',
    pages: [
      ['docs/go-live.md', 'Before you go live'],
      ['docs/open-questions.md', 'What the specification leaves open'],
      ['docs/configuration.md', 'Configuration'],
      ['docs/observability.md', 'Observability'],
      ['docs/many-machines.md', 'Many machines'],
      ['docs/queue.md', 'The queue and your database'],
      ['docs/proxies-and-certificates.md', 'Proxies and certificates'],
      ['docs/bundling.md', 'Bundling'],
      ['docs/performance.md', 'Size and speed'],
      ['docs/lender.md', "The lender's side"],
    ],
  },
  {
    title: 'Project',
    titleVi: 'Dự án',
    pages: [
      ['CHANGELOG.md', 'Changelog'],
      ['CONTRIBUTING.md', 'Contributing'],
      ['SECURITY.md', 'Security'],
    ],
  },
];

/** The page in Vietnamese. */
export const vietnamesePage = 'docs/README.vi.md';

/** Where a file of the repository is on the site, without an extension: `/guide/webhooks`. */
export function routeOf(file: string): string {
  if (file === 'README.md') return '/';
  if (file === vietnamesePage) return '/vi/';
  const route = file.replace(/^docs\//, 'guide/').replace(/\.md$/, '');
  return `/${route.replace(/README$/, '').replace(/^[A-Z]+$/, (name) => name.toLowerCase())}`;
}

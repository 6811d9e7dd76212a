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
      ['README.md', 'Overview'],
      ['docs/getting-started.md', 'Getting started'],
      ['docs/concepts.md', 'Concepts'],
      ['docs/payment-request.md', 'The payment request'],
      ['docs/after-the-redirect.md', 'After the redirect'],
      ['docs/webhooks.md', 'Webhooks'],
      ['docs/uploads.md', 'Uploading invoices'],
      ['docs/customer-messages.md', 'What to tell the customer'],
      ['docs/frameworks.md', 'Frameworks'],
      ['docs/commerce-platforms.md', 'Commerce platforms'],
      ['examples/README.md', 'Examples'],
    ],
  },
  {
    title: 'When something goes wrong',
    titleVi: 'Khi có lỗi',
    pages: [
      ['docs/outcomes-and-errors.md', 'Outcomes and errors'],
      ['docs/retries-and-idempotency.md', 'Retries and idempotency'],
      ['docs/result-statuses.md', 'Result statuses'],
      ['docs/incidents.md', 'Incidents'],
    ],
  },
  {
    title: 'Testing',
    titleVi: 'Kiểm thử',
    pages: [
      ['docs/rehearsal.md', 'Rehearsal'],
      ['docs/rules.md', 'Rules of the rehearsal'],
      ['docs/mock.md', 'The mock'],
      ['docs/ci.md', 'Tests in CI'],
      ['docs/scenarios.md', 'Scenarios of the mock'],
      ['docs/other-languages.md', 'Other languages'],
    ],
  },
  {
    title: 'In production',
    titleVi: 'Lên production',
    pages: [
      ['docs/go-live.md', 'Before you go live'],
      ['docs/assumptions.md', 'Assumptions'],
      ['docs/configuration.md', 'Configuration'],
      ['docs/many-merchants.md', 'Many merchants'],
      ['docs/observability.md', 'Observability'],
      ['docs/orders.md', 'Orders'],
      ['docs/proxies-and-certificates.md', 'Proxies and certificates'],
      ['docs/serverless.md', 'Serverless'],
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

/** The pages in Vietnamese. */
export const vietnamesePages = [
  ['docs/README.vi.md', 'Tổng quan', '/vi/'],
  ['docs/getting-started.vi.md', 'Bắt đầu', '/vi/getting-started'],
  ['docs/concepts.vi.md', 'Khái niệm', '/vi/concepts'],
  ['docs/incidents.vi.md', 'Xử lý sự cố', '/vi/incidents'],
  ['docs/rehearsal.vi.md', 'Diễn tập', '/vi/rehearsal'],
] as const;

/** Where a file of the repository is on the site, without an extension: `/guide/webhooks`. */
export function routeOf(file: string): string {
  if (file === 'README.md') return '/';
  const vietnamese = vietnamesePages.find(([page]) => page === file);
  if (vietnamese) return vietnamese[2];
  const route = file.replace(/^docs\//, 'guide/').replace(/\.md$/, '');
  return `/${route.replace(/README$/, '').replace(/^[A-Z]+$/, (name) => name.toLowerCase())}`;
}

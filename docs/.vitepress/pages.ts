/** A group of the side bar, in English and Vietnamese, and its pages: files of the repository. */
export interface PageGroup {
  readonly title: string;
  readonly titleVi: string;
  readonly pages: readonly (readonly [file: string, title: string])[];
}

/** The guides, with what most readers need first at the top. */
export const pageGroups: readonly PageGroup[] = [
  {
    title: 'Start',
    titleVi: 'Bắt đầu',
    pages: [
      ['README.md', 'Overview'],
      ['docs/getting-started.md', 'Getting started'],
      ['docs/concepts.md', 'Concepts'],
      ['docs/orders.md', 'Orders'],
      ['docs/webhooks.md', 'Receive webhooks'],
      ['docs/customer-messages.md', 'Messages for the customer'],
      ['examples/README.md', 'Examples'],
    ],
  },
  {
    title: 'Guides',
    titleVi: 'Hướng dẫn',
    pages: [
      ['docs/payment-request.md', 'The payment request'],
      ['docs/uploads.md', 'Upload invoices'],
      ['docs/other-operations.md', 'Status query, cancel, refund'],
      ['docs/many-merchants.md', 'Many merchants'],
      ['docs/frameworks.md', 'Frameworks'],
      ['docs/databases.md', 'Databases'],
      ['docs/deploy.md', 'Deploy'],
      ['docs/other-languages.md', 'PHP, Python, Java, Go, .NET'],
      ['docs/lender.md', 'Lenders'],
      ['docs/faq.md', 'Questions and answers'],
    ],
  },
  {
    title: 'Test',
    titleVi: 'Kiểm thử',
    pages: [
      ['docs/testing.md', 'Test with the mock'],
      ['docs/rehearsal.md', 'Rehearsal'],
    ],
  },
  {
    title: 'Run',
    titleVi: 'Vận hành',
    pages: [
      ['docs/go-live.md', 'Before you go live'],
      ['docs/probe.md', 'Ask your sandbox'],
      ['docs/operations.md', 'Operations'],
      ['docs/incidents.md', 'Incidents'],
      ['docs/staff.md', 'Payments for manual review'],
      ['docs/observability.md', 'Logs, metrics and traces'],
      ['docs/retries-and-idempotency.md', 'Retries and idempotency'],
      ['docs/proxies-and-certificates.md', 'Proxies and certificates'],
      ['docs/upgrading.md', 'Upgrading'],
    ],
  },
  {
    title: 'Reference',
    titleVi: 'Tham chiếu',
    pages: [
      ['docs/configuration.md', 'Configuration'],
      ['docs/errors.md', 'Errors'],
      ['docs/cli.md', 'Command line'],
      ['docs/mock-reference.md', 'Mock reference'],
      ['docs/payment-states.md', 'States of a payment'],
      ['docs/rules.md', 'Rules of the rehearsal'],
      ['docs/scenarios.md', 'Scenarios'],
      ['docs/assumptions.md', 'Assumptions'],
      ['CHANGELOG.md', 'Changelog'],
    ],
  },
  {
    title: 'Project',
    titleVi: 'Dự án',
    pages: [
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
  ['docs/orders.vi.md', 'Đơn hàng', '/vi/orders'],
  ['docs/webhooks.vi.md', 'Nhận webhook', '/vi/webhooks'],
  ['docs/rehearsal.vi.md', 'Diễn tập', '/vi/rehearsal'],
  ['docs/go-live.vi.md', 'Trước khi lên production', '/vi/go-live'],
  ['docs/incidents.vi.md', 'Xử lý sự cố', '/vi/incidents'],
  ['docs/staff.vi.md', 'Giao dịch cần nhân viên xử lý', '/vi/staff'],
] as const;

/** Where a file of the repository is on the site, without an extension: `/guide/webhooks`. */
export function routeOf(file: string): string {
  if (file === 'README.md') return '/';
  const vietnamese = vietnamesePages.find(([page]) => page === file);
  if (vietnamese) return vietnamese[2];
  const route = file.replace(/^docs\//, 'guide/').replace(/\.md$/, '');
  return `/${route.replace(/README$/, '').replace(/^[A-Z]+$/, (name) => name.toLowerCase())}`;
}

import type { DefaultTheme, MarkdownRenderer, UserConfig } from 'vitepress';
import { anchorOf } from './anchors.js';
import { drawDiagrams } from './diagrams.js';
import { pageGroups, routeOf, vietnamesePages } from './pages.js';

const sidebar = (title: 'title' | 'titleVi'): DefaultTheme.SidebarItem[] =>
  pageGroups.map((group) => ({
    text: group[title],
    items: group.pages.map(([file, text]) => ({ text, link: routeOf(file) })),
  }));

/** The side bar of TypeDoc, with the entries of the package beside each other. */
function referenceSidebar(modules: readonly DefaultTheme.SidebarItem[]): DefaultTheme.SidebarItem[] {
  const isModule = ({ link }: DefaultTheme.SidebarItem) => link?.endsWith('/') === true;
  return modules.flatMap(({ link = '', items = [] }) => [
    {
      text: link.split('/').slice(2, -1).join('/'),
      link,
      collapsed: true,
      // Not to be collapsed: the theme puts a button into the button that such a group is.
      items: items
        .filter((item) => !isModule(item))
        .map(({ text = '', items: names = [] }) => ({ text, items: names })),
    },
    ...referenceSidebar(items.filter(isModule)),
  ]);
}

const searchInVietnamese = {
  button: { buttonText: 'Tìm kiếm', buttonAriaLabel: 'Tìm kiếm' },
  modal: {
    displayDetails: 'Hiện chi tiết',
    resetButtonTitle: 'Xóa từ khóa',
    backButtonTitle: 'Đóng',
    noResultsText: 'Không có kết quả cho',
    footer: {
      selectText: 'để chọn',
      selectKeyAriaLabel: 'Phím Enter',
      navigateText: 'để di chuyển',
      navigateUpKeyAriaLabel: 'Mũi tên lên',
      navigateDownKeyAriaLabel: 'Mũi tên xuống',
      closeText: 'để đóng',
      closeKeyAriaLabel: 'Phím Esc',
    },
  },
};

/** Each page is rendered for its HTML and again for the index of the search: its code needs highlighting once. */
function highlightOnce(md: MarkdownRenderer): void {
  const { highlight } = md.options;
  if (!highlight) return;
  const highlighted = new Map<string, string>();
  md.options.highlight = (code, language, attributes) => {
    const key = JSON.stringify([code, language, attributes]);
    const html = highlighted.get(key) ?? highlight(code, language, attributes);
    highlighted.set(key, html);
    return html;
  };
}

/** The configuration of the site, with the side bar of the reference. */
export function siteConfig(reference: DefaultTheme.SidebarItem[]): UserConfig<DefaultTheme.Config> {
  return {
    title: 'installment-payments',
    description: 'A TypeScript client for installment payments in Vietnam, with a mock of the service.',
    base: process.env['DOCS_BASE'] ?? '/',
    cleanUrls: false,
    cacheDir: './.cache',
    head: [['link', { rel: 'icon', href: 'data:,' }]],
    locales: {
      root: { label: 'English', lang: 'en' },
      vi: {
        label: 'Tiếng Việt',
        lang: 'vi',
        link: '/vi/',
        description:
          'Client TypeScript để nhận thanh toán trả góp tại Việt Nam, kèm mock server để kiểm thử.',
        themeConfig: {
          nav: [
            { text: 'Hướng dẫn', link: '/vi/' },
            { text: 'Tham chiếu API', link: '/reference/' },
          ],
          sidebar: [
            { text: 'Tiếng Việt', items: vietnamesePages.map(([, text, link]) => ({ text, link })) },
            ...sidebar('titleVi'),
          ],
          outline: { label: 'Trên trang này', level: [2, 3] },
          darkModeSwitchLabel: 'Giao diện',
          lightModeSwitchTitle: 'Chuyển sang giao diện sáng',
          darkModeSwitchTitle: 'Chuyển sang giao diện tối',
          langMenuLabel: 'Đổi ngôn ngữ',
          skipToContentLabel: 'Chuyển đến nội dung',
          returnToTopLabel: 'Về đầu trang',
          sidebarMenuLabel: 'Mục lục',
          docFooter: { prev: 'Trang trước', next: 'Trang sau' },
        },
      },
    },
    markdown: {
      anchor: { slugify: anchorOf },
      languageAlias: { mjs: 'js' },
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      config: (md) => {
        // A wide table scrolls, so the keyboard has to reach it.
        md.renderer.rules['table_open'] = () => '<table tabindex="0">\n';
        drawDiagrams(md);
        highlightOnce(md);
      },
    },
    themeConfig: {
      nav: [
        { text: 'Guide', link: '/' },
        { text: 'Reference', link: '/reference/' },
      ],
      sidebar: {
        '/': sidebar('title'),
        '/reference/': referenceSidebar(reference),
      },
      outline: { level: [2, 3] },
      // One page is in both languages: the other languages of a guide are the first page.
      i18nRouting: false,
      search: { provider: 'local', options: { locales: { vi: { translations: searchInVietnamese } } } },
      externalLinkIcon: true,
    },
  };
}

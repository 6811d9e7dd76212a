import type { DefaultTheme, MarkdownRenderer, UserConfig } from 'vitepress';
import { anchorOf } from './anchors.js';
import { drawDiagrams } from './diagrams.js';
import { pageGroups, routeOf, vietnamesePages } from './pages.js';

const sidebar = (title: 'title' | 'titleVi'): DefaultTheme.SidebarItem[] =>
  pageGroups.map((group) => ({
    text: group[title],
    items: group.pages.map(([file, text]) => ({ text, link: routeOf(file) })),
  }));

/** The modules of the reference: those that TypeDoc puts below another one, too. */
function referenceModules(items: readonly DefaultTheme.SidebarItem[]): DefaultTheme.SidebarItem[] {
  return items.filter(isModule).flatMap((item) => [item, ...referenceModules(item.items ?? [])]);
}

function isModule({ link }: DefaultTheme.SidebarItem): boolean {
  return link?.endsWith('/') === true;
}

/** A side bar for each module, which lists only the names of this module. A list of all names makes each page some 60 kB larger. */
function referenceSidebars(items: readonly DefaultTheme.SidebarItem[]): DefaultTheme.SidebarMulti {
  const modules = referenceModules(items);
  const sidebarOf = (open?: DefaultTheme.SidebarItem) =>
    modules.map((module): DefaultTheme.SidebarItem => {
      const { link = '', items: groups = [] } = module;
      const text = link.split('/').slice(2, -1).join('/');
      if (module !== open) return { text, link };
      // Groups cannot be collapsed: the theme would put a button into the button that a group is.
      const names = groups
        .filter((group) => !isModule(group))
        .map(({ text = '', items: members = [] }) => ({ text, items: members }));
      return { text, link, items: names };
    });
  return {
    '/reference/': sidebarOf(),
    ...Object.fromEntries(modules.map((module) => [module.link ?? '', sidebarOf(module)])),
  };
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
        ...referenceSidebars(reference),
      },
      outline: { level: [2, 3] },
      // One page is in both languages: the other languages of a guide are the first page.
      i18nRouting: false,
      search: { provider: 'local', options: { locales: { vi: { translations: searchInVietnamese } } } },
      externalLinkIcon: true,
    },
  };
}

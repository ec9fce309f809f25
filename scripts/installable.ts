// What makes the page one that can be installed: its manifest, its icons, the colour of the system's bars, the page without a
// network. Made from the theme when the page is built.
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { colorOf, themeCss } from '../web/theme/theme.ts'

const NAME = '合作伙伴后台'
const PNGS = ['icon-192', 'icon-512', 'icon-maskable-512']

const iconFile = (name: string) => readFileSync(new URL(`../app/icons/${name}`, import.meta.url))

function manifest() {
  const png = (name: string, size: number, purpose: string) => ({
    ...{ src: `/${name}.png`, sizes: `${size}x${size}`, type: 'image/png', purpose },
  })
  return {
    id: '/admin/index',
    name: NAME,
    short_name: '伙伴后台',
    lang: 'zh-CN',
    start_url: '/admin/index',
    scope: '/',
    display: 'standalone',
    background_color: colorOf('page', 'light'),
    theme_color: colorOf('page', 'light'),
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      png('icon-192', 192, 'any'),
      png('icon-512', 512, 'any'),
      png('icon-maskable-512', 512, 'maskable'),
    ],
    shortcuts: [
      { name: '续费工作台', url: '/admin/merchant/renewals' },
      { name: '我的商户', url: '/admin/merchant/myMerchant' },
    ],
  }
}

function offlinePage(): string {
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>没有网络 · ${NAME}</title>
<style>${themeCss()}
body { display: grid; place-content: center; justify-items: center; gap: 12px; min-height: 100dvh; margin: 0; padding: 16px;
  box-sizing: border-box; background: var(--page); color: var(--text); font: 14px/20px var(--font); text-align: center }
h1, p { margin: 0 } h1 { font-size: 20px; line-height: 28px } p { color: var(--muted) }
a { display: grid; place-items: center; min-width: 120px; height: 44px; padding: 0 16px; border-radius: 6px;
  background: var(--accent-fill); color: var(--on-fill); text-decoration: none }
</style></head><body><h1>没有网络</h1><p>连上网络后重新加载即可继续</p><a href="">重新加载</a></body></html>`
}

export function installable(): Plugin {
  return {
    name: 'installable',
    resolveId: id => (id === 'virtual:offline' ? `\0${id}` : undefined),
    load: id =>
      id === '\0virtual:offline' ? `export const OFFLINE_PAGE = ${JSON.stringify(offlinePage())}` : undefined,
    transformIndexHtml: () => [
      ...(['light', 'dark'] as const).map(mode => ({
        tag: 'meta',
        attrs: {
          name: 'theme-color',
          content: colorOf('page', mode),
          media: `(prefers-color-scheme: ${mode})`,
          // Once a theme is chosen in the product, its colour alone holds.
          'data-mode': mode,
        },
      })),
      { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' } },
      { tag: 'link', attrs: { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' } },
      { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/icon-192.png' } },
    ],
    generateBundle() {
      const emit = (fileName: string, source: string | Uint8Array) =>
        this.emitFile({ type: 'asset', fileName, source })
      emit('manifest.webmanifest', JSON.stringify(manifest()))
      emit('icon.svg', iconFile('icon.svg'))
      for (const name of PNGS) emit(`${name}.png`, iconFile(`${name}.png`))
    },
  }
}

// The HTML of every path: nonce, demo mark, and what the path's page will need, so that it is fetched along with the code.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_LOGINS } from '#features/office/access/sample.ts'
import type { Brand } from '#features/office/agents/contract.ts'
import { HOME_PATH, LOGIN_PATH } from './paths.ts'
import { pageAt, publicPageAt } from './route-pages.ts'

type Chunk = { file: string; css?: string[]; imports?: string[]; dynamicImports?: string[] }
type Manifest = Record<string, Chunk>

export type PageOptions = {
  demo: boolean
  /** Whom to call for help. */
  helpLine?: string | undefined
  /** Where the print program of a desk listens. */
  bridgePort?: number | null
  /** It was asked for under an agent's domain: whose, or of nobody's that may be told. */
  underDomain?: { brand: Brand | null } | undefined
}

const MAIN = 'index.html'
const BOOT = 'app/web-boot.ts'

/** Reads the built page once; the answer makes the HTML of a path for one response. */
export function makePage(distDir: string): (pathname: string, nonce: string, options: PageOptions) => string {
  const html = readFileSync(join(distDir, 'index.html'), 'utf8')
  const manifest = JSON.parse(readFileSync(join(distDir, '.vite/manifest.json'), 'utf8')) as Manifest
  const boot = manifest[BOOT]
  if (!boot || !/<\/title>.*<\/head>/s.test(html))
    throw new Error('the built page is not complete; build it again')
  const heads = new Map<string, { first: string; last: string }>()
  return (pathname, nonce, { demo, helpLine, bridgePort, underDomain }) => {
    const page = pageAt(pathname)
    const isLogin = pathname === LOGIN_PATH || pathname === '/'
    const open = publicPageAt(pathname)
    const key = isLogin ? LOGIN_PATH : (open?.prefix ?? page?.path ?? '')
    let head = heads.get(key)
    if (head === undefined) {
      const sources = isLogin
        ? ['app/login.tsx']
        : open
          ? ['app/public.tsx', open.file]
          : ['app/signed-in.tsx', ...(page ? [page.file] : [])]
      const early = isLogin || open ? [] : [metaTag('early', '/api/session')]
      for (const { address, permission } of page?.early ?? [])
        early.push(metaTag('early', address, permission))
      const code = page && manifest[page.file]?.file
      if (code) early.push(metaTag('page-code', `/${code}`))
      if (page?.list) early.push(metaTag('early-list', page.list, page.permission))
      if (isLogin) early.push(metaTag('next-code', nextFiles(manifest).join(' ')))
      const first = [...early, `<script src="/${boot.file}"></script>`]
      head = { first: first.join('\n    '), last: linksTo(manifest, sources).join('\n    ') }
      heads.set(key, head)
    }
    const said = [
      // What an address opens that nobody can guess is in no search engine.
      ...(open?.prefix.endsWith('/') ? [metaTag('robots', 'noindex')] : []),
      ...(demo ? [metaTag('demo', 'true')] : []),
      ...(demo && isLogin ? [metaTag('demo-accounts', JSON.stringify(DEMO_LOGINS))] : []),
      ...(bridgePort && !isLogin && !open ? [metaTag('bridge-port', String(bridgePort))] : []),
      ...(helpLine && isLogin ? [metaTag('help-line', helpLine)] : []),
      ...(underDomain ? [metaTag('brand', JSON.stringify(underDomain.brand))] : []),
    ]
    const { first, last } = head
    // By functions, since in a text $& would mean what is replaced.
    return html
      .replace('</title>', () => ['</title>', ...said, first].join('\n    '))
      .replace('</head>', () => `  ${last}\n  </head>`)
      .replaceAll('__CSP_NONCE__', nonce)
  }
}

/** With a permission, for the accounts that hold it. */
function metaTag(name: string, content: string, permission = 'session'): string {
  const needs = permission === 'session' ? '' : ` data-permission="${permission}"`
  const text = content.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<meta name="${name}" content="${text}"${needs}>`
}

/** Links to the chunks of these sources and to all that they import, except what the HTML already loads. */
function linksTo(manifest: Manifest, sources: readonly string[]): string[] {
  const had = new Set(reach(manifest, MAIN, new Set()))
  const wanted = new Set<string>()
  for (const source of sources) reach(manifest, source, wanted)
  const chunks = [...wanted].filter(key => !had.has(key)).flatMap(key => manifest[key] ?? [])
  const hadCss = new Set([...had].flatMap(key => manifest[key]?.css ?? []))
  const css = new Set(chunks.flatMap(chunk => chunk.css ?? []).filter(file => !hadCss.has(file)))
  return [
    ...[...css].map(file => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...chunks.map(chunk => `<link rel="modulepreload" crossorigin href="/${chunk.file}">`),
  ]
}

/** What the start page loads beyond the login page. */
function nextFiles(manifest: Manifest): string[] {
  const had = filesOf(manifest, ['app/login.tsx'])
  const wanted = filesOf(manifest, ['app/signed-in.tsx', pageAt(HOME_PATH)?.file ?? ''])
  return [...wanted].filter(file => !had.has(file)).map(file => `/${file}`)
}

function filesOf(manifest: Manifest, sources: readonly string[]): Set<string> {
  const reached = new Set<string>()
  for (const source of [MAIN, ...sources]) reach(manifest, source, reached)
  const chunks = [...reached].flatMap(key => manifest[key] ?? [])
  return new Set(chunks.flatMap(({ css = [], file }) => [...css, file]))
}

/** What is imported stands before what imports it, so that its styles can be refined, as when it is fetched later. */
function reach(manifest: Manifest, key: string, reached: Set<string>, seen = new Set<string>()): Set<string> {
  if (seen.has(key) || !manifest[key]) return reached
  seen.add(key)
  for (const next of manifest[key].imports ?? []) reach(manifest, next, reached, seen)
  return reached.add(key)
}

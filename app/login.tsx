import { showLoginPage } from '#features/agencies/sign-in/LoginPage.tsx'
import { isOwnPath } from '#features/agencies/sign-in/rules.ts'
import { demoAccounts, helpLine, isDemo } from '#web/client/demo.ts'
import { HOME_PATH } from './paths.ts'

/** The login page by itself. Where a session holds already, it leads on at once. */
export function showLogin(root: HTMLElement): void {
  showLoginPage(root, {
    demo: isDemo(),
    demoAccounts: demoAccounts(),
    helpLine: helpLine(),
    ended: new URLSearchParams(location.search).has('ended'),
    next: wantedPath(),
    onTyping: fetchNext,
  })
}

/** Where the person was going. */
function wantedPath(): string {
  const from = new URLSearchParams(location.search).get('from') ?? ''
  return isOwnPath(from) ? from : HOME_PATH
}

/** The files of the start page, which the HTML names: they are there once one is in. */
function fetchNext(): void {
  const files = document.querySelector<HTMLMetaElement>('meta[name="next-code"]')?.content.split(' ') ?? []
  for (const href of files) {
    const isStyle = href.endsWith('.css')
    const link = document.createElement('link')
    Object.assign(link, { rel: isStyle ? 'prefetch' : 'modulepreload', href, crossOrigin: '' })
    document.head.append(link)
  }
}

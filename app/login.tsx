import { createRoot } from 'react-dom/client'
import { LoginPage } from '#features/agencies/sign-in/LoginPage.tsx'
import { isOwnPath } from '#features/agencies/sign-in/rules.ts'
import { demoAccounts, helpLine, isDemo } from '#web/client/demo.ts'
import { HOME_PATH } from './paths.ts'

/** The login page by itself. Where a session holds already, it leads on at once. */
export function showLogin(root: HTMLElement): void {
  createRoot(root).render(
    <LoginPage
      demo={isDemo()}
      demoAccounts={demoAccounts()}
      helpLine={helpLine()}
      ended={new URLSearchParams(location.search).has('ended')}
      next={wantedPath()}
    />,
  )
}

/** Where the person was going. */
function wantedPath(): string {
  const from = new URLSearchParams(location.search).get('from') ?? ''
  return isOwnPath(from) ? from : HOME_PATH
}

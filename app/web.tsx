import 'virtual:theme.css'
import { PUBLIC_PREFIXES } from 'virtual:public'
import '#web/theme/base.css'
import { begin } from '#web/client/ready.ts'
import { guardMarkup } from '#web/client/trusted.ts'
import { cleanPastes } from '#web/form/clean-paste.ts'
import { LOGIN_PATH } from './paths.ts'

const root = document.getElementById('root')
if (!root) throw new Error('the page has no root')

guardMarkup()
cleanPastes(document)
const shown = begin()

// The login page does without router and component library, so it decides before they are loaded.
if (location.pathname === LOGIN_PATH || location.pathname === '/') {
  if (location.pathname === '/') history.replaceState(null, '', LOGIN_PATH)
  const { showLogin } = await import('./login.tsx')
  showLogin(root)
} else if (PUBLIC_PREFIXES.some(prefix => location.pathname.startsWith(prefix))) {
  const { showPublic } = await import('./public.tsx')
  showPublic(root)
} else {
  const { showSignedIn } = await import('./signed-in.tsx')
  await showSignedIn(root)
}
shown()

import { useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSession } from '../client/session.ts'
import { Button } from '../controls/Button.tsx'
import { Choice } from '../form/Choice.tsx'
import { Dialog } from '../form/Dialog.tsx'
import { chooseTheme, useThemeChoice } from '../theme/theme-mode.ts'
import styles from './OwnSheet.module.css'
import { THEMES } from './themes.tsx'

export type OwnProps = {
  /** What one owns, and the way to more of it. */
  balance: ReactNode
  /** Named groups of pages. */
  links: readonly { name: string; pages: readonly { path: string; name: string }[] }[]
  onSignOut: () => void
  onClose: () => void
}

/** One's account on a phone: who one is, the balance, one's pages, the look, the way out. */
export default function OwnSheet({ balance, links, onSignOut, onClose }: OwnProps) {
  const session = useSession()
  const navigate = useNavigate()
  const theme = useThemeChoice()
  useLeft(onClose)
  return (
    <Dialog title="我的" dirty={false} onClose={onClose}>
      <div className={styles.own}>
        <p className={styles.who}>
          <b>{session.companyName}</b>
          <span>
            {session.name} · {session.loginName}
          </span>
        </p>
        {balance}
        {links.map(({ name, pages }) => (
          <section key={name} className={styles.links} aria-label={name}>
            <h3>{name}</h3>
            <ul>
              {pages.map(page => (
                <li key={page.path}>
                  <button type="button" onClick={() => void navigate({ to: page.path })}>
                    {page.name}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <section className={styles.links} aria-label="外观">
          <h3>外观</h3>
          <Choice
            label="外观"
            options={THEMES.map(({ choice, name }) => ({ value: choice, label: name }))}
            value={theme}
            onChange={chooseTheme}
          />
        </section>
        <Button
          onClick={() => {
            onClose()
            onSignOut()
          }}
        >
          退出登录
        </Button>
      </div>
    </Dialog>
  )
}

/** It closes with the page it leads to. */
function useLeft(onClose: () => void): void {
  const { pathname } = useLocation()
  const opened = useRef(pathname)
  useEffect(() => {
    if (pathname !== opened.current) onClose()
  }, [pathname, onClose])
}

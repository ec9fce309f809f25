import { Link, useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { Button } from './Button.tsx'
import {
  IconBack,
  IconDown,
  IconFold,
  IconMenu,
  IconMoon,
  IconSearch,
  IconSun,
  IconSystem,
  IconUser,
} from './icons.tsx'
import { Menu } from './Menu.tsx'
import type { ShellPage, ShellProps } from './Shell.tsx'
import { useSession } from './session.ts'
import { chooseTheme, type ThemeChoice, useThemeChoice, useThemeMode } from './theme-mode.ts'
import './ShellHeader.css'

type Props = ShellProps & {
  current: ShellPage | undefined
  folded: boolean
  onToggle: () => void
  onPalette: () => void
}

export function ShellHeader({ current, pages, tools, find, folded, ...steps }: Props) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const searchName = find ? `搜索页面和${find.name}` : '搜索页面'
  const toggleName = folded ? '展开菜单' : '收起菜单'
  return (
    <header className="top">
      <Button
        kind="quiet"
        icon={
          <>
            <IconFold className="not-phone" />
            <IconMenu className="only-phone" size={20} />
          </>
        }
        aria-label={toggleName}
        aria-expanded={!folded}
        tip={toggleName}
        onClick={steps.onToggle}
      />
      <Button
        kind="quiet"
        icon={<IconBack />}
        aria-label="返回"
        tip="返回"
        disabled={!canGoBack}
        className="top-back"
        onClick={() => router.history.back()}
      />
      <Breadcrumb current={current} pages={pages} />
      <div className="top-tools">
        <Button
          kind="quiet"
          icon={<IconSearch />}
          aria-label={searchName}
          aria-keyshortcuts="Control+K Meta+K"
          tip={`${searchName}  Ctrl K`}
          onClick={steps.onPalette}
        />
        {tools}
        <ThemeMenu />
        <AccountMenu pages={steps.accountPages} onSignOut={steps.onSignOut} />
      </div>
    </header>
  )
}

function Breadcrumb({ current, pages }: { current: ShellPage | undefined; pages: readonly ShellPage[] }) {
  const parent = pages.find(page => page.path === current?.under)
  return (
    <nav className="crumbs" aria-label="当前位置">
      <ol>
        {current?.group && <li className="not-phone">{current.group}</li>}
        {parent && (
          <li className="not-phone">
            <Link to={parent.path}>{parent.title}</Link>
          </li>
        )}
        <li aria-current="page">{current?.title ?? '页面不存在'}</li>
      </ol>
    </nav>
  )
}

const THEMES: { choice: ThemeChoice; name: string; icon: React.ReactNode }[] = [
  { choice: 'light', name: '浅色', icon: <IconSun /> },
  { choice: 'dark', name: '深色', icon: <IconMoon /> },
  { choice: 'system', name: '跟随系统', icon: <IconSystem /> },
]

function ThemeMenu() {
  const chosen = useThemeChoice()
  const mode = useThemeMode()
  return (
    <Menu
      label="外观"
      className="btn btn-quiet top-icon"
      button={mode === 'dark' ? <IconMoon /> : <IconSun />}
      align="end"
      items={THEMES.map(theme => ({
        key: theme.choice,
        checked: theme.choice === chosen,
        onClick: () => chooseTheme(theme.choice),
        label: (
          <>
            {theme.icon}
            {theme.name}
          </>
        ),
      }))}
    />
  )
}

type AccountProps = { pages: readonly ShellPage[]; onSignOut: () => void }

function AccountMenu({ pages, onSignOut }: AccountProps) {
  const session = useSession()
  const navigate = useNavigate()
  return (
    <Menu
      label={`账户 ${session.name}`}
      className="btn btn-quiet top-account"
      button={
        <>
          <IconUser />
          <span className="not-phone">{session.name}</span>
          <IconDown className="not-phone" />
        </>
      }
      align="end"
      head={
        <div className="account-head">
          <b>{session.companyName}</b>
          <span>
            {session.name} · {session.loginName}
          </span>
        </div>
      }
      items={[
        ...pages.map(({ path, title }) => ({
          key: path,
          label: title,
          onClick: () => void navigate({ to: path }),
        })),
        { key: 'sign-out', label: '退出登录', onClick: onSignOut },
      ]}
    />
  )
}

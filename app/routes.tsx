import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  useCanGoBack,
  useRouter,
} from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect, useRef } from 'react'
import { OpenOrder } from '#features/sales/order-details/OpenOrder.tsx'
import { FORBIDDEN } from '#kit/declare/forbidden.ts'
import type { RoutePage } from '#kit/declare/pages.ts'
import { allows, useSession } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import styles from './DeadEnd.module.css'
import { Frame } from './Frame.tsx'
import type { PageModule } from './page-loaders.tsx'
import { HOME_PATH } from './paths.ts'
import { pageAt, REDIRECTS, ROUTE_PAGES } from './route-pages.ts'
import { parseSearch, stringifySearch } from './search-params.ts'

/** The page that the HTML was made for. */
const FIRST = pageAt(location.pathname)
const FIRST_CODE = document.querySelector<HTMLMetaElement>('meta[name="page-code"]')?.content

/** The router over the table of pages. Parts of the address stay text: the pages read them as they need. */
export function makeRouter() {
  const root = createRootRoute({ component: Root, notFoundComponent: NotFound })
  const redirects = Object.entries(REDIRECTS).map(([path, target]) => {
    const [to = path, hash] = target.split('#')
    return createRoute({
      getParentRoute: () => root,
      path,
      beforeLoad: ({ search }) => {
        throw redirect({ to, search, ...(hash && { hash }), replace: true })
      },
    })
  })
  const pages = ROUTE_PAGES.map(page =>
    createRoute({ getParentRoute: () => root, path: page.path, component: componentOf(page) }),
  )
  return createRouter({
    routeTree: root.addChildren([...redirects, ...pages]),
    defaultErrorComponent: Broken,
    parseSearch,
    stringifySearch,
  })
}

/** `preload` is the router's name for what it awaits before it shows the page; nothing once the code is there. */
type PageComponent = (() => ReactNode) & { preload?: (() => Promise<void>) | undefined }

const components = new Map<RoutePage, PageComponent>()

/** Drawn at once when its code is there: what `lazy` draws suspends even then, and React holds back what it reveals. */
function componentOf(page: RoutePage): PageComponent {
  const known = components.get(page)
  if (known) return known
  let Page: ComponentType | undefined
  const component: PageComponent = () => <Guarded page={page}>{Page && <Page />}</Guarded>
  component.preload = async () => {
    Page = (await load(page)).default
    component.preload = undefined
  }
  components.set(page, component)
  return component
}

/** The HTML names the file of its own page, so that this one does not wait for the table of all. */
async function load(page: RoutePage): Promise<PageModule> {
  if (page === FIRST && FIRST_CODE) return import(/* @vite-ignore */ FIRST_CODE)
  return (await import('./page-loaders.tsx')).load(page.file)
}

/** Fetches the code of the page at a path ahead, as when the cursor rests on its menu entry. */
export async function preloadPage(path: string): Promise<void> {
  const page = pageAt(path)
  if (page) await componentOf(page).preload?.()
}

/** The page, or the guard page where the account lacks its permission. */
function Guarded({ page, children }: { page: RoutePage; children: ReactNode }) {
  const session = useSession()
  useEffect(() => {
    document.title = `${page.title} · 合作伙伴后台`
  }, [page])
  const isAllowed = allows(session, page.permission)
  const wasAllowed = useRef(isAllowed)
  if (isAllowed) wasAllowed.current = true
  if (isAllowed) return children
  if (wasAllowed.current) return <Withdrawn title={page.title} />
  return page.refusedTo === 'home' ? <SentHome /> : <NoPermission />
}

/** It was open when the right to it was taken. */
function Withdrawn({ title }: { title: string }) {
  return (
    <Dead
      title="您没有操作权限!"
      text={`管理员刚刚收回了您的“${title}”权限，菜单已更新；没有提交的内容不会保存`}
    />
  )
}

function Root() {
  return (
    // Once it is pressed it is tried again, and fails in words.
    <Frame onNear={path => void preloadPage(path).catch(() => undefined)}>
      <Outlet />
      <OpenOrder />
    </Frame>
  )
}

/** Says why, and goes to the start page in this one's place. */
function SentHome() {
  const router = useRouter()
  useEffect(() => {
    toast.warning(FORBIDDEN)
    void router.navigate({ to: HOME_PATH, replace: true })
  }, [router])
  return null
}

function NoPermission() {
  return <Dead title="您没有操作权限!" text="如需使用此页面，请联系管理员为您的角色开通权限" />
}

function NotFound() {
  useEffect(() => {
    document.title = '页面不存在 · 合作伙伴后台'
  }, [])
  return <Dead title="页面不存在" text="地址可能有误，或页面已被移除" />
}

/** Most often the page's code could not be fetched; a fresh load also brings a newer version of it. */
function Broken() {
  return (
    <div className={styles.deadEnd} role="alert">
      <h1>页面没有加载出来</h1>
      <p>网络可能中断，或系统刚刚更新，请重新加载</p>
      <div>
        <Button kind="primary" changes={false} onClick={() => location.reload()}>
          重新加载
        </Button>
      </div>
    </div>
  )
}

function Dead({ title, text }: { title: string; text: ReactNode }) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  return (
    <div className={styles.deadEnd}>
      <h1>{title}</h1>
      <p>{text}</p>
      <div>
        {canGoBack && <Button onClick={() => router.history.back()}>返回上一页</Button>}
        <Button kind="primary" changes={false} onClick={() => void router.navigate({ to: HOME_PATH })}>
          回到首页
        </Button>
      </div>
    </div>
  )
}

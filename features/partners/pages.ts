// The pages of this feature by path; the list of partners and the page of one are features/partner-desk's.
import type { PublicPage } from '#kit/pages.ts'
import { INVITE_PREFIX } from './rules.ts'

export const PUBLIC_PAGES = [
  { prefix: INVITE_PREFIX, title: '设置登录密码', file: 'features/partners/InvitePage.tsx' },
] as const satisfies readonly PublicPage[]

// The page of this feature, which anybody opens who knows a link (D3 §2 merchantImportH5).
import type { PublicPage } from '#kit/declare/pages.ts'

export const PUBLIC_PAGES = [
  { prefix: '/o/', title: '填写收款资料', file: 'features/acquiring/owner-papers/OwnerPage.tsx' },
] as const satisfies readonly PublicPage[]

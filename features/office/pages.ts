// The pages of its features. A feature with pages is a line here.
import type { RoutePage } from '#kit/declare/pages.ts'
import { PAGES as content } from './content/pages.ts'
import { PAGES as factors } from './factors/pages.ts'
import { PAGES as notices } from './notices/pages.ts'
import { PAGES as referenceData } from './reference-data/pages.ts'

export const PAGES = [
  ...referenceData,
  ...notices,
  ...factors,
  ...content,
] as const satisfies readonly RoutePage[]

// Its features in their order: each may import of those before it, and of earlier districts. A new one is a line here.
import type { Feature } from '#server/feature.ts'
import { feature as access } from './access/feature.ts'
import { feature as agents } from './agents/feature.ts'
import { feature as captcha } from './captcha/feature.ts'
import { feature as content } from './content/feature.ts'
import { feature as factors } from './factors/feature.ts'
import { feature as notices } from './notices/feature.ts'
import { feature as prices } from './prices/feature.ts'
import { feature as referenceData } from './reference-data/feature.ts'
import { feature as regions } from './regions/feature.ts'
import { feature as viewAs } from './view-as/feature.ts'
import { feature as views } from './views/feature.ts'

export const office = {
  regions,
  agents,
  prices,
  access,
  referenceData,
  notices,
  viewAs,
  captcha,
  factors,
  views,
  content,
} satisfies Record<string, Feature>

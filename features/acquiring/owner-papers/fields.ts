// What is shown of what a shop's owner handed in.
import type { Fields } from '#kit/declare/fields.ts'
import { OWNER_PAPERS_STATES } from './rules.ts'

export const OWNER_PAPERS_FIELDS = {
  state: {
    kind: 'word',
    label: '状态',
    words: OWNER_PAPERS_STATES,
    tones: { draft: 'neutral', submitted: 'attention', returned: 'problem', adopted: 'done' },
    in: ['details'],
  },
} as const satisfies Fields

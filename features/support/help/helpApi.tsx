import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { help } from './contract.ts'

export const helpApi = api<typeof help>('help')

export type HelpHome = Out<typeof help.home>
export type HelpLine = HelpHome['articles'][number]
export type HelpArticle = Out<typeof help.article>
export type HelpRow = Out<typeof help.list>['rows'][number]
export type HelpEdited = Out<typeof help.details>

export const LIST_PATH = '/admin/help/articles'
export const FORM_PATH = '/admin/help/article'

import { routes as labels } from 'virtual:routes/labels'
import { routes as receipts } from 'virtual:routes/receipts'
import type { ReactNode } from 'react'
import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { TemplateOps } from './contract-of-kind.ts'
import { type Audience, audienceText, TEMPLATE_FEATURES, type TemplateKind } from './rules.ts'

const APIS = {
  label: api<TemplateOps>(TEMPLATE_FEATURES.label, labels),
  receipt: api<TemplateOps>(TEMPLATE_FEATURES.receipt, receipts),
} as const

/** The operations of the templates of a kind. */
export const templatesApi = (kind: TemplateKind) => APIS[kind]

export type TemplateDetails = Out<TemplateOps['details']>
export type TemplateVersion = Out<TemplateOps['history']>['versions'][number]
export type TemplateEvent = Out<TemplateOps['history']>['events'][number]
export type ToldAudience = TemplateVersion['audience']

/** Draws a content; it may be one of an older time. */
export type Picture = (content: unknown) => ReactNode

/** A template that a dialog is about. */
export type TemplateDialogProps = { kind: TemplateKind; id: number; name: string; onClose: () => void }

export const isServed = ({ withdrawnAt, supersededBy }: TemplateVersion) =>
  withdrawnAt === null && supersededBy === null

export const audienceFrom = ({ all, industries, shops }: ToldAudience): Audience => ({
  all,
  industryIds: industries.map(({ id }) => id),
  shopIds: shops.map(({ id }) => id),
})

export const audienceWords = (told: ToldAudience): string =>
  audienceText(
    audienceFrom(told),
    wanted => told.industries.find(({ id }) => id === wanted)?.name ?? String(wanted),
  )

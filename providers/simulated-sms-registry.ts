// Signatures, templates and qualifications of a simulated SMS service, reviewed after a delay or by the control plane.
// Some words in a name are refused by the review, as the real ones do; what was approved is taken back by the control plane.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'

export type TemplateKind = 'code' | 'notice'
export type PreloadedTemplate = { code: string; text: string; kind?: TemplateKind }
export type PreloadedRegistry = {
  signatures: readonly string[]
  templates: readonly PreloadedTemplate[]
  /** Numbers of those that the service's console has approved. */
  qualifications?: readonly string[]
}

export type ReviewState = 'pending' | 'approved' | 'rejected' | 'ended'
export type Reviewed = {
  /** The signature's name, the template's code, the qualification's number. */
  key: string
  orderId: number
  name: string
  createdAtMs: number
  reviewAtMs: number
  state: ReviewState
  reason: string
}
export type SimulatedTemplate = Reviewed & { text: string; kind: TemplateKind }
export type SimulatedSignature = Reviewed & {
  qualificationId: number
  /** What carriers say of it in place of what follows from its state, as the service numbers that. */
  carriers?: number
}

const REFUSED_WORDS: readonly (readonly [word: string, reason: string])[] = [
  ['测试', '名称含测试字样，不予通过'],
  ['品牌', '签名涉及他人商标或品牌，请提供授权文件'],
  ['优惠', '签名为营销或活动用语，须为企业全称或简称'],
  ['中心', '签名过于宽泛，无法识别主体'],
  ['资质', '资质信息与签名主体不一致'],
]

const KINDS = ['signature', 'template', 'qualification'] as const
export type ReviewedKind = (typeof KINDS)[number]

/** `firstId`: where numbers begin. Everything preloaded is approved. `file` keeps signatures, so that a service that is started again knows them. */
export function makeSmsRegistry(
  preloaded: PreloadedRegistry,
  reviewMs: number,
  firstId: number,
  file: string | null = null,
) {
  let lastId = firstId
  const all: Record<ReviewedKind, Map<string, Reviewed>> = {
    signature: new Map(),
    template: new Map(),
    qualification: new Map(),
  }
  const add = <Row extends object>(
    kind: ReviewedKind,
    key: string | null,
    row: Row & { name: string },
    nowMs: number,
  ) => {
    const orderId = ++lastId
    const made = {
      orderId,
      createdAtMs: nowMs,
      reviewAtMs: nowMs + reviewMs,
      state: 'pending' as ReviewState,
      reason: '',
      ...row,
      key: key ?? String(orderId),
    }
    all[kind].set(made.key, made)
    return made
  }
  const keep = () => {
    if (file !== null) writeFileSync(file, JSON.stringify([...all.signature.values()]))
  }
  const find = (kind: ReviewedKind, key: string, nowMs: number) => {
    const row = all[kind].get(key)
    if (row && review(row, nowMs)) keep()
    return row ?? null
  }
  const registry = {
    addSignature: (name: string, qualificationId: number, nowMs: number): SimulatedSignature => {
      const made = add('signature', name, { name, qualificationId }, nowMs)
      keep()
      return made
    },
    addTemplate: (
      { code, text, name, kind }: { code: string | null; text: string; name: string; kind: TemplateKind },
      nowMs: number,
    ): SimulatedTemplate => add('template', code, { name, text, kind }, nowMs),
    addQualification: (name: string, nowMs: number): Reviewed =>
      add<object>('qualification', null, { name }, nowMs),
    signature: (name: string, nowMs: number) => find('signature', name, nowMs) as SimulatedSignature | null,
    template: (code: string, nowMs: number) => find('template', code, nowMs) as SimulatedTemplate | null,
    qualification: (id: string, nowMs: number) => find('qualification', id, nowMs),
    list: (kind: ReviewedKind, nowMs: number) => {
      const isReviewed = [...all[kind].values()].map(row => review(row, nowMs))
      if (isReviewed.includes(true)) keep()
      return [...all[kind].values()]
    },
    /** Of one that was refused: it is reviewed anew. */
    again: (row: Reviewed, nowMs: number) => {
      Object.assign(row, { state: 'pending', reason: '', reviewAtMs: nowMs + reviewMs })
      keep()
    },
    /** What a reviewer does by hand, or a carrier. False: there is no such entry. */
    decide: (kind: ReviewedKind, key: string, changed: Partial<SimulatedSignature>) => {
      const row = all[kind]?.get(key)
      if (row) Object.assign(row, changed)
      keep()
      return row !== undefined
    },
    remove: (kind: ReviewedKind, key: string) => {
      all[kind]?.delete(key)
      keep()
    },
  }
  for (const key of preloaded.qualifications ?? [])
    add('qualification', key, { name: '厂商资质', state: 'approved' as ReviewState }, Date.now())
  const kept = file !== null && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Reviewed[]) : []
  for (const row of kept) {
    all.signature.set(row.key, row)
    lastId = Math.max(lastId, row.orderId)
  }
  for (const name of preloaded.signatures)
    Object.assign(registry.addSignature(name, 0, Date.now()), { state: 'approved' })
  for (const { code, text, kind } of preloaded.templates)
    Object.assign(registry.addTemplate({ code, text, name: code, kind: kind ?? kindOf(text) }, Date.now()), {
      state: 'approved',
    })
  return registry
}

export function kindOf(text: string): TemplateKind {
  return text.includes('验证码') ? 'code' : 'notice'
}

/** Whether it is decided by that. */
function review(row: Reviewed, nowMs: number): boolean {
  if (row.state !== 'pending' || nowMs < row.reviewAtMs) return false
  const refused = REFUSED_WORDS.find(([word]) => row.name.includes(word))
  row.state = refused ? 'rejected' : 'approved'
  row.reason = refused?.[1] ?? ''
  return true
}

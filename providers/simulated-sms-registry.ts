// Signatures, templates and qualifications of a simulated SMS service, reviewed after a delay or by the control plane.
// A name with 测试 in it is refused by the review, as the real ones do.

export type TemplateKind = 'code' | 'notice'
export type PreloadedTemplate = { code: string; text: string; kind?: TemplateKind }
export type PreloadedRegistry = { signatures: readonly string[]; templates: readonly PreloadedTemplate[] }

export type ReviewState = 'pending' | 'approved' | 'rejected'
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
export type SimulatedSignature = Reviewed & { qualificationId: number }

const KINDS = ['signature', 'template', 'qualification'] as const
export type ReviewedKind = (typeof KINDS)[number]

/** `firstId`: where numbers begin. Everything preloaded is approved. */
export function makeSmsRegistry(preloaded: PreloadedRegistry, reviewMs: number, firstId: number) {
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
  const find = (kind: ReviewedKind, key: string, nowMs: number) => {
    const row = all[kind].get(key)
    if (row) review(row, nowMs)
    return row ?? null
  }
  const registry = {
    addSignature: (name: string, qualificationId: number, nowMs: number): SimulatedSignature =>
      add('signature', name, { name, qualificationId }, nowMs),
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
      for (const row of all[kind].values()) review(row, nowMs)
      return [...all[kind].values()]
    },
    /** What a reviewer does by hand. False: there is no such entry. */
    decide: (kind: ReviewedKind, key: string, approve: boolean, reason: string) => {
      const row = all[kind]?.get(key)
      if (row) Object.assign(row, { state: approve ? 'approved' : 'rejected', reason })
      return row !== undefined
    },
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

function review(row: Reviewed, nowMs: number): void {
  if (row.state !== 'pending' || nowMs < row.reviewAtMs) return
  const isRefused = row.name.includes('测试')
  row.state = isRefused ? 'rejected' : 'approved'
  row.reason = isRefused ? '名称含测试字样，不予通过' : ''
}

// What the server's HTML says beside the page.

import type { Brand } from '../shell/AgentBrand.tsx'

export type DemoAccount = { loginName: string; password: string; who: string }

/** Whether the server runs on demo data. */
export function isDemo(): boolean {
  return saidBy('demo') !== null
}

/** Whom one can be in the demo. */
export function demoAccounts(): DemoAccount[] {
  return JSON.parse(saidBy('demo-accounts') ?? '[]') as DemoAccount[]
}

/** Whom to call for help. */
export function helpLine(): string | null {
  return saidBy('help-line')
}

/** Whose domain the page was opened under; null: none of an agent's, or nobody's that may be told. */
export function brandOfDomain(): Brand | null {
  return JSON.parse(saidBy('brand') ?? 'null') as Brand | null
}

/** Whether the page was opened under an agent's domain: what holds for the office's own address alone does not there. */
export function isUnderDomain(): boolean {
  return saidBy('brand') !== null
}

function saidBy(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null
}

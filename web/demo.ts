// What the server's HTML says beside the page.

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

function saidBy(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null
}

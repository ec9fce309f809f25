// The password of a shop that was just sold, to be handed over: in the page's memory alone, until its hand-over is left.
let sold: { merchantId: number; password: string } | null = null

export function keepPassword(merchantId: number, password: string): void {
  sold = { merchantId, password }
}

export function passwordOf(merchantId: number): string | null {
  return sold?.merchantId === merchantId ? sold.password : null
}

export function forgetPassword(): void {
  sold = null
}

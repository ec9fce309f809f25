// The payer's phone as a page: shows what a code asks for, and pays it or fails to.
import type { SimAnswer } from '../simulator.ts'

export type TianqueOrder = {
  mno: string
  ordNo: string
  amt: string
  subject: string
  code: string
  state: 'PAYING' | 'SUCCESS' | 'FAIL' | 'CLOSED'
  payTime: string
  expiresAt: number
  refunds: { ordNo: string; amt: string; state: 'REFUNDSUC' | 'REFUNDING' | 'REFUNDFAIL' }[]
}

const STATES = { PAYING: '待付款', SUCCESS: '已支付', FAIL: '支付失败', CLOSED: '已关闭' } as const

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

export function phonePage(code: string, order: TianqueOrder | undefined): SimAnswer {
  if (!order) return page(`<p class="bad" role="alert">没有这个二维码：${escaped(code)}</p>`, 404)
  const isRefunded = order.refunds.some(({ state }) => state === 'REFUNDSUC')
  return page(
    `<p class="subject">${escaped(order.subject)}</p>
<p class="amount">¥${order.amt}</p>
<dl><dt>商户编号</dt><dd>${order.mno}</dd><dt>状态</dt><dd id="state">${isRefunded ? '已退款' : STATES[order.state]}</dd></dl>
<p id="answer" role="status"></p>
<button class="main" data-outcome="paid">支付</button>
<button data-outcome="failed">支付失败</button>
<script>
const code = ${JSON.stringify(code).replaceAll('<', '\\u003c')}
for (const button of document.querySelectorAll('button')) button.onclick = async () => {
  const answer = document.getElementById('answer')
  try {
    const body = JSON.stringify({ code, outcome: button.dataset.outcome })
    const response = await fetch('pay', { method: 'POST', body })
    answer.textContent = (await response.json()).message
    answer.className = response.ok && button.dataset.outcome === 'paid' ? 'good' : 'bad'
  } catch {
    answer.textContent = '没有得到答复，请重试'
    answer.className = 'bad'
  }
}
</script>`,
    200,
  )
}

function page(body: string, status: number): SimAnswer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>随行付天阙 · 演示手机</title><style>${STYLE}</style></head><body><main><h1>随行付天阙 · 演示手机</h1>${body}</main></body></html>`,
  }
}

const STYLE = `
:root { color-scheme: light dark; --page: #f3f4f6; --card: #fff; --text: #1f2329; --soft: #646a73; --line: #dee0e3; --good: #237804; --bad: #cf1322 }
@media (prefers-color-scheme: dark) { :root { --page: #111417; --card: #1b1f24; --text: #e6e8eb; --soft: #9aa2ac; --line: #31363d; --good: #73d13d; --bad: #ff7875 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 390px; padding: 24px; border-radius: 12px; background: var(--card); overflow-wrap: anywhere }
h1 { margin: 0 0 16px; font-size: 16px; text-align: center }
.subject { margin: 0; text-align: center }
.amount { margin: 4px 0 16px; font-size: 36px; font-weight: 600; text-align: center }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 0 0 16px; font-size: 14px }
dt { color: var(--soft) }
dd { margin: 0; text-align: right }
button { width: 100%; height: 44px; margin-top: 8px; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: inherit; font: inherit; cursor: pointer }
button.main { border-color: #1668dc; background: #1668dc; color: #fff }
.good { color: var(--good); text-align: center }
.bad { color: var(--bad); text-align: center }
:focus-visible { outline: 2px solid #1668dc; outline-offset: 2px }
`

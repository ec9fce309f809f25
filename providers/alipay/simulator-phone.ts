// The payer's phone as a page: shows what a code asks for, and pays it, fails, pays late or only scans.
import type { SimAnswer } from '../simulator.ts'
import { type Order, refundedFen, yuan } from './simulator-book.ts'

const STATES = {
  WAIT_BUYER_PAY: '已扫码，待付款',
  TRADE_SUCCESS: '已支付',
  TRADE_CLOSED: '已关闭',
} as const

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

function stateText({ trade }: Order): string {
  if (!trade) return '未扫码'
  const back = refundedFen(trade)
  return back > 0 ? `已退款 ${yuan(back)} 元` : STATES[trade.status]
}

export function landingPage(unpaid: readonly Order[], wrongCode: string | null): SimAnswer {
  const rows = unpaid.map(({ subject, amountFen, codes }) => {
    const code = codes.at(-1)?.url ?? ''
    return `<a class="row" href="?code=${encodeURIComponent(code)}"><span>${escaped(subject)}</span><b>¥${yuan(amountFen)}</b></a>`
  })
  const body = `<h1>支付宝 · 演示手机</h1>
${wrongCode === null ? '' : `<p class="bad" role="alert">没有这个二维码：${escaped(wrongCode)}</p>`}
<form><label for="code">二维码内容</label>
<input id="code" name="code" required autocomplete="off" placeholder="https://qr.alipay.com/…">
<button class="main">打开</button></form>
<h2>最近未付款的订单</h2>
${rows.length ? rows.join('\n') : '<p class="soft">暂无未付款的订单</p>'}`
  return page(body, wrongCode === null ? 200 : 404)
}

export function paymentPage(order: Order, codeUrl: string): SimAnswer {
  const buttons = [
    ['paid', false, '支付', 'main'],
    ['failed', false, '支付失败', ''],
    ['paid', true, '迟到支付', ''],
    ['scan', false, '仅扫码', ''],
  ]
    .map(
      ([outcome, late, label, kind]) =>
        `<button class="${kind}" data-outcome="${outcome}" data-late="${late}">${label}</button>`,
    )
    .join('\n')
  const body = `<h1>支付宝 · 演示手机</h1>
<p class="subject">${escaped(order.subject)}</p>
<p class="amount">¥${yuan(order.amountFen)}</p>
<dl><dt>订单号</dt><dd>${escaped(order.outTradeNo)}</dd><dt>状态</dt><dd id="state">${stateText(order)}</dd></dl>
<p id="answer" role="status"></p>
${buttons}
<p class="soft">“迟到支付”：订单过期后才在支付宝完成的付款。</p>
<a class="back" href="phone">其他订单</a>
<script>
const buttons = document.querySelectorAll('button')
const code = ${JSON.stringify(codeUrl).replaceAll('<', '\\u003c')}
for (const button of buttons) button.onclick = async () => {
  const answer = document.getElementById('answer')
  for (const one of buttons) one.disabled = true
  const request = { code, outcome: button.dataset.outcome, late: button.dataset.late === 'true' }
  try {
    const response = await fetch('pay', { method: 'POST', body: JSON.stringify(request) })
    const result = await response.json()
    answer.textContent = result.message
    answer.className = result.ok && request.outcome !== 'failed' ? 'good' : 'bad'
    document.getElementById('state').textContent = result.state
  } catch {
    answer.textContent = '没有得到答复，请重试'
    answer.className = 'bad'
  }
  for (const one of buttons) one.disabled = false
}
</script>`
  return page(body, 200)
}

export const stateOfOrder = stateText

function page(body: string, status: number): SimAnswer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>支付宝 · 演示手机</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`,
  }
}

const STYLE = `
:root { color-scheme: light dark; --page: #f3f4f6; --card: #fff; --text: #1f2329; --soft: #646a73; --line: #dee0e3; --accent: #1677ff; --link: #0958d9; --good: #237804; --bad: #cf1322 }
@media (prefers-color-scheme: dark) { :root { --page: #111417; --card: #1b1f24; --text: #e6e8eb; --soft: #9aa2ac; --line: #31363d; --link: #4096ff; --good: #73d13d; --bad: #ff7875 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 390px; padding: 24px; border-radius: 12px; background: var(--card); overflow-wrap: anywhere }
h1 { margin: 0 0 16px; font-size: 16px; font-weight: 600; color: var(--link); text-align: center }
h2 { margin: 24px 0 8px; font-size: 14px; font-weight: 600 }
.subject { margin: 0; text-align: center }
.amount { margin: 4px 0 16px; font-size: 36px; font-weight: 600; text-align: center }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 0 0 16px; font-size: 14px }
dt, .soft { color: var(--soft); font-size: 14px }
dd { margin: 0; text-align: right }
label { font-size: 14px }
input, button { width: 100%; height: 44px; margin-top: 8px; padding: 0 12px; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: inherit; font: inherit }
button { cursor: pointer }
button:disabled { opacity: .5; cursor: default }
button.main { border-color: var(--accent); background: #1668dc; color: #fff }
.row { display: flex; justify-content: space-between; gap: 16px; padding: 10px 0; border-bottom: 1px solid var(--line); color: inherit; text-decoration: none }
.back { display: block; margin-top: 16px; color: var(--link); text-align: center; text-decoration: none }
.good { color: var(--good); text-align: center }
.bad { color: var(--bad); text-align: center }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

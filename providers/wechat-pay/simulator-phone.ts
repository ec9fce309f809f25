// The payer's phone: what WeChat shows after scanning a code, and a list of codes for whoever has no camera at hand.
import type { SimAnswer } from '#providers/simulator.ts'
import { type Book, findPayable, Refused, type SimOrder, shanghai, stateOf } from './simulator-orders.ts'

const LISTED_MAX = 10
const PERSONS = { 甲: 'oSimulatedPayer000000000001', 乙: 'oSimulatedPayer000000000002' }
const STATE_WORDS = {
  NOTPAY: '待支付',
  PAYERROR: '支付失败',
  SUCCESS: '已支付',
  REFUND: '已退款',
  CLOSED: '已关闭',
}

const STYLE = `
:root { color-scheme: light dark; --back: #f3f4f6; --card: #fff; --text: #1f2329; --dim: #646a73; --line: #dee0e3; --green: #067a3f; --red: #c02a2a }
@media (prefers-color-scheme: dark) { :root { --back: #111417; --card: #1b1f24; --text: #e6e8eb; --dim: #9aa2ac; --line: #31363d; --green: #4cc38a; --red: #ff8080 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans SC", sans-serif }
main { max-width: 430px; margin: 0 auto; padding: 16px; min-height: 100dvh; display: flex; flex-direction: column; gap: 16px }
header { font-size: 14px; color: var(--dim); text-align: center }
section { background: var(--card); border-radius: 12px; padding: 24px 16px }
h1 { font-size: 17px; margin: 0; text-align: center; font-weight: 500 }
.amount { font-size: 40px; font-weight: 600; text-align: center; margin: 8px 0 16px; font-variant-numeric: tabular-nums }
dl { margin: 0; display: grid; grid-template-columns: auto 1fr; gap: 8px 16px; font-size: 14px; border-top: 1px solid var(--line); padding-top: 16px }
dt { color: var(--dim) } dd { margin: 0; text-align: right; overflow-wrap: anywhere }
.actions { display: grid; gap: 12px }
button, .button { min-height: 48px; border-radius: 8px; border: 1px solid var(--line); background: var(--card); color: var(--text); font: inherit; cursor: pointer; width: 100%; padding: 0 16px }
button.main { background: #067a3f; border-color: #067a3f; color: #fff; font-weight: 600 }
button:disabled { opacity: .5; cursor: default }
button:focus-visible, input:focus-visible, a:focus-visible, select:focus-visible { outline: 2px solid #2f6bff; outline-offset: 2px }
#said { text-align: center; min-height: 24px; font-weight: 500 } #said.good { color: var(--green) } #said.bad { color: var(--red) }
label { display: grid; gap: 6px; font-size: 14px; color: var(--dim) }
input, select { width: 100%; min-height: 44px; border: 1px solid var(--line); border-radius: 8px; background: var(--back); color: var(--text); font: inherit; padding: 0 12px }
ul { list-style: none; margin: 8px 0 0; padding: 0 } li + li { border-top: 1px solid var(--line) }
li a { display: flex; justify-content: space-between; gap: 16px; padding: 12px 0; color: inherit; text-decoration: none; min-height: 48px }
li span:first-child { overflow-wrap: anywhere } li span:last-child { font-variant-numeric: tabular-nums; white-space: nowrap }
h2 { font-size: 15px; margin: 0; font-weight: 500 } p { margin: 0; font-size: 13px; color: var(--dim) }
a.back { text-align: center; font-size: 14px; color: var(--dim); padding: 12px }
`

const SCRIPT = `
const said = document.getElementById('said')
const code = document.body.dataset.code
for (const button of document.querySelectorAll('button[data-outcome]')) button.addEventListener('click', async () => {
  const buttons = document.querySelectorAll('button[data-outcome]')
  for (const one of buttons) one.disabled = true
  said.className = ''
  said.textContent = '正在处理'
  try {
    const response = await fetch('/__sim/pay', { method: 'POST', body: JSON.stringify({
      code, payer: document.getElementById('payer').value, outcome: button.dataset.outcome, late: button.dataset.late === 'true' }) })
    const answer = await response.json()
    const isPaid = response.ok && answer.state === 'SUCCESS'
    said.className = isPaid ? 'good' : 'bad'
    said.textContent = isPaid ? '支付成功' : response.ok ? '支付失败' : answer.message
    if (isPaid) document.querySelector('button.main').textContent = '再付一次'
    if (response.ok) document.getElementById('state').textContent = isPaid ? '已支付' : '支付失败'
  } catch {
    said.className = 'bad'
    said.textContent = '网络异常，请重试'
  }
  for (const one of buttons) one.disabled = false
})
`

/** The page for a code, or (without one) a field for it and the newest unpaid orders. */
export function phoneAnswer(book: Book, query: URLSearchParams, now: Date): SimAnswer {
  const code = query.get('code')
  if (!code) return page(200, '扫一扫', '', landing(book, now))
  try {
    return page(200, '微信支付', code, payPage(book, findPayable(book, { code }), now))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const said = `<section><h1>${escaped(error.message)}</h1></section>`
    return page(error.status, '微信支付', '', `${said}<a class="back" href="/__sim/phone">返回</a>`)
  }
}

function landing(book: Book, now: Date): string {
  const unpaid = [...book.orders.values()]
    .filter(order => ['NOTPAY', 'PAYERROR'].includes(stateOf(book, order, now)))
    .slice(-LISTED_MAX)
    .reverse()
  const lines = unpaid.map(
    order =>
      `<li><a href="/__sim/phone?code=${encodeURIComponent(codeOf(order))}"><span>${escaped(order.description)}</span><span>${yuan(order.amountFen)}</span></a></li>`,
  )
  const list =
    lines.length > 0 ? `<ul>${lines.join('')}</ul>` : '<p>暂无待支付的订单，请先在收银页面生成二维码</p>'
  return `<section><form method="get" action="/__sim/phone" class="actions">
<label>二维码内容<input name="code" required placeholder="weixin://wxpay/bizpayurl?pr=" autocomplete="off"></label>
<button class="main">打开</button></form></section>
<section><h2>最近待支付</h2>${list}</section>`
}

function payPage(book: Book, order: SimOrder, now: Date): string {
  const state = stateOf(book, order, now)
  const isPaid = state === 'SUCCESS' || state === 'REFUND'
  const facts: [string, string, string?][] = [
    ['收款方', order.subMchid ? `${payeeOf(order)}（${order.party.name}）` : order.party.name],
    ['商品', order.description],
    ['订单号', order.outTradeNo],
    ['有效期至', order.expiresAt ? shanghai(order.expiresAt).slice(0, 19).replace('T', ' ') : '七天'],
    ['状态', STATE_WORDS[state], 'state'],
  ]
  const list = facts
    .map(([name, value, id]) => `<dt>${name}</dt><dd${id ? ` id="${id}"` : ''}>${escaped(value)}</dd>`)
    .join('')
  const people = Object.entries(PERSONS)
    .map(
      ([name, id]) =>
        `<option value="${id}"${order.payer === id ? ' selected' : ''}>微信用户${name}</option>`,
    )
    .join('')
  const own = order.payer && !Object.values(PERSONS).includes(order.payer)
  const payer = own
    ? `<option value="${escaped(order.payer ?? '')}" selected>下单的微信用户</option>${people}`
    : people
  return `<section><h1>付款给${escaped(payeeOf(order))}</h1><div class="amount">${yuan(order.amountFen)}</div><dl>${list}</dl></section>
<section class="actions"><label>付款人<select id="payer">${payer}</select></label>
<div id="said" role="status" aria-live="polite"></div>
<button class="main" data-outcome="paid">${isPaid ? '再付一次' : '支付'}</button>
<button data-outcome="failed">支付失败</button>
<button data-outcome="paid" data-late="true">关闭后支付</button>
<p>关闭后支付：收银页面的订单已结束，微信一侧尚未关闭时仍完成付款</p></section>
<a class="back" href="/__sim/phone">其他订单</a>`
}

const codeOf = (order: SimOrder) => order.code?.url ?? order.prepayId
const yuan = (fen: number) => `¥${(fen / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`
const payeeOf = ({ party, subMchid }: SimOrder) => (subMchid ? `特约商户 ${subMchid}` : party.name)

export function escaped(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, character => names[character] ?? character)
}

export function page(status: number, title: string, code: string, contents: string): SimAnswer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
    body: `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body data-code="${escaped(code)}"><main><header>微信支付 · 演示手机</header>
${contents}</main>${code ? `<script>${SCRIPT}</script>` : ''}</body></html>`,
  }
}

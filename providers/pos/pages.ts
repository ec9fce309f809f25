// The POS's pages: plain HTML, made of the copy and of what a shop asked for.
import type { Agent, Copy, Shop } from './copy.ts'
import { feedbackPart, type Told } from './feedback-pages.ts'
import { frame, html, type Markup, MOMENT, type Part, type Said, saidLine } from './markup.ts'

const KINDS: Record<string, string> = { signature: '短信签名', shopName: '店铺名称', memberTitle: '会员称谓' }
const STATES: Record<string, string> = {
  pending: '待审批',
  approved: '已通过',
  rejected: '已驳回',
  reviewing: '短信服务审核中',
  withdrawn: '已撤回',
  replaced: '已被替代',
}
const PRINTS: Record<string, string> = { label: '标签模板', receipt: '小票模板' }
const BLOCKS: Record<string, string> = { manager: '服务经理', hotline: '服务热线' }

export type AskedFor = {
  id: number
  kind: string
  content: string
  state: string
  reason: string
  advice: string
  createdAt: string
}
export type Template = {
  template: string
  name: string
  text: string
  variables: { name: string; label: string }[]
}
export type PrintTemplate = { kind: string; name: string; version: number; publishedAt: string }
export type ShopTable = { name: string; rows: number }
const DAY = new Intl.DateTimeFormat('zh-CN', { dateStyle: 'long', timeZone: 'Asia/Shanghai' })
const dayOf = (instant: string | null) => (instant === null ? '永久' : DAY.format(new Date(instant)))
const titled = (name: string, content: Part) => html`<div><dt>${name}</dt><dd>${content}</dd></div>`

const statusOf = ({ status }: Shop) =>
  status === 'disabled' ? html`<span class="tag bad">已禁用</span>` : html`<span class="tag good">正常</span>`

export function listPage(copy: Copy, search: string): string {
  const all = copy.shops()
  const found = all.filter(({ shopName, account }) => shopName.includes(search) || account.includes(search))
  const rows = found.slice(0, 200).map(
    shop => html`<li><a href="/shops/${shop.id}"><strong>${shop.shopName}</strong> ${statusOf(shop)}
<span>${shop.account}</span><span>${shop.version.name}</span><span>${shop.expiresAt === null ? '永久' : `到期 ${dayOf(shop.expiresAt)}`}</span></a></li>`,
  )
  const content = html`<h1>店铺</h1>
<form class="line" action="/"><label>店铺名称或账号 <input name="q" type="search" value="${search}"></label><button>查找</button></form>
<p class="quiet">共 ${all.length} 家店铺${search === '' ? '' : html`，找到 ${found.length} 家`}${found.length > rows.length ? html`，显示最新 ${rows.length} 家` : ''}</p>
${rows.length === 0 ? html`<p>没有店铺</p>` : html`<ul class="shops">${rows}</ul>`}`
  return frame('店铺', content, copy)
}

export type ShopView = {
  shop: Shop
  asked: readonly AskedFor[]
  templates: readonly Template[]
  feedback: readonly Told[]
  tables: readonly ShopTable[]
  prints: readonly PrintTemplate[]
  said: Said
  /** Of each form, so that one that is sent twice acts once. */
  act: () => string
}

export function shopPage(copy: Copy, view: ShopView): string {
  const { shop, said } = view
  const agent = copy.agent(shop.agentId)
  const isDisabled = shop.status === 'disabled'
  const content = html`<h1>${shop.shopName} ${statusOf(shop)}</h1>
${saidLine(said)}
${isDisabled ? html`<p class="bad">店铺已被禁用，不能收银、登录和发送短信，请联系服务商。</p>` : ''}
<div class="columns"><section><h2>店铺资料</h2><dl>
${titled('账号', shop.account)}${titled('联系人', shop.personName)}${titled('软件版本', shop.version.name)}${titled('到期时间', dayOf(shop.expiresAt))}
${titled('版本功能', shop.version.functions.join('、') || '无')}
${titled('增值服务', shop.services.map(one => `${one.name}（${dayOf(one.expiresAt)}）`).join('、') || '无')}
${titled('短信余额', `${shop.smsBalance} 条`)}
${titled('短信签名', shop.signature.text === '' ? '未设置' : `${shop.signature.text}（${shop.signature.usable ? '可用' : '暂不可用'}）`)}
${titled('会员称谓', shop.memberTitle || '会员')}
</dl></section>
${agent ? homeOf(agent) : ''}
${printsOf(view.prints)}
${view.tables.length === 0 ? '' : html`<section><h2>店铺数据</h2><dl>${view.tables.map(({ name, rows }) => titled(name, `${rows} 行`))}</dl></section>`}
<section><h2>申请</h2>${askedOf(view)}${isDisabled ? '' : askForms(view)}</section>
${feedbackPart(shop, view.feedback, view.act)}
${isDisabled ? '' : html`<section><h2>会员短信</h2>${messageForms(view)}</section>`}</div>`
  return frame(shop.shopName, content, copy)
}

/** What the shop prints with, as it is served to it now. */
function printsOf(prints: readonly PrintTemplate[]): Markup {
  const rows = prints.map(({ kind, name, version, publishedAt }) =>
    titled(
      PRINTS[kind] ?? kind,
      html`${name} <span class="quiet">版本 ${version}，${MOMENT.format(new Date(publishedAt))} 发布</span>`,
    ),
  )
  return html`<section><h2>打印模板</h2>${rows.length === 0 ? html`<p>没有为本店发布的模板</p>` : html`<dl>${rows}</dl>`}</section>`
}

function homeOf({ name, logo, blocks, notices }: Agent): Markup {
  const shown = blocks.map(({ type, text, picture, link }) => {
    const label = BLOCKS[type] ? html`<strong>${BLOCKS[type]}：</strong>` : ''
    const inside = html`${label}${text}${picture ? html`<img src="${picture}" alt="${text === '' ? name : ''}">` : ''}`
    return html`<p>${link && /^https?:/.test(link) ? html`<a href="${link}" rel="noreferrer">${inside}</a>` : inside}</p>`
  })
  return html`<section><h2>${name}</h2>${logo ? html`<img class="logo" src="${logo}" alt="">` : ''}${shown}
${notices.map(notice => html`<h3>${notice.title}</h3><p class="text">${notice.body}</p>`)}</section>`
}

function askedOf({ shop, asked, act }: ShopView): Markup {
  const rows = asked.map(
    one => html`<li><strong>${KINDS[one.kind] ?? one.kind}：${one.content}</strong> <span class="tag">${STATES[one.state] ?? one.state}</span>
<span class="quiet">${MOMENT.format(new Date(one.createdAt))}</span>
${one.reason === '' ? '' : html`<p class="bad">原因：${one.reason}</p>`}${one.advice === '' ? '' : html`<p>建议：${one.advice}</p>`}
${
  one.state === 'pending'
    ? html`<form method="post" action="/shops/${shop.id}/withdraw"><input type="hidden" name="act" value="${act()}"><input type="hidden" name="request" value="${one.id}">
<button aria-label="撤回${KINDS[one.kind] ?? ''}申请">撤回</button></form>`
    : ''
}</li>`,
  )
  return rows.length === 0 ? html`<p>还没有申请</p>` : html`<ul class="asked">${rows}</ul>`
}

function askForms({ shop, act }: ShopView): Markup {
  const forms = Object.entries(KINDS).map(
    ([kind, name]) => html`<form class="line" method="post" action="/shops/${shop.id}/requests">
<input type="hidden" name="act" value="${act()}"><input type="hidden" name="kind" value="${kind}">
<label>新的${name} <input name="content" required maxlength="100"></label><button aria-label="申请${name}">申请</button></form>`,
  )
  return html`${forms}`
}

function messageForms({ shop, templates, act }: ShopView): Markup {
  const forms = templates.map(
    ({
      template,
      name,
      text,
      variables,
    }) => html`<details><summary>${name}</summary><p class="text">${text}</p>
<form method="post" action="/shops/${shop.id}/messages"><input type="hidden" name="act" value="${act()}"><input type="hidden" name="template" value="${template}">
<label>会员手机号 <input name="phone" inputmode="tel" required></label>
${variables.map(({ name: param, label }) => html`<label>${label} <input name="param.${param}" required></label>`)}
<button>发送</button></form></details>`,
  )
  return forms.length === 0 ? html`<p>没有可用的短信模板</p>` : html`${forms}`
}

export function signInPage(copy: Copy, said: Said): string {
  const content = html`<h1>店铺登录</h1>
${saidLine(said)}
<form class="narrow" method="post" action="/sign-in"><label>账号 <input name="account" autocomplete="username" required></label>
<label>密码 <input name="password" type="password" autocomplete="current-password" required></label><button>登录</button></form>`
  return frame('店铺登录', content, copy)
}

export function missingPage(copy: Copy): string {
  return frame('没有该店铺', html`<h1>没有该店铺</h1><p><a href="/">返回店铺列表</a></p>`, copy)
}

export const STYLES = `:root{color-scheme:light dark;--line:light-dark(#d8dce3,#3c424d);--quiet:light-dark(#5b6472,#a9b2c0);--card:light-dark(#fff,#1c2027);--back:light-dark(#f3f5f8,#121519);--accent:light-dark(#0b5c4d,#5ed0b5);--bad:light-dark(#a4161a,#ff9c97);--good:light-dark(#14652f,#7edc9b)}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:light-dark(#1b222c,#e8ecf2);font:16px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
header{display:flex;flex-wrap:wrap;gap:8px 24px;justify-content:space-between;padding:12px 24px;background:var(--card);border-bottom:1px solid var(--line);font-weight:600}nav{display:flex;gap:20px;font-weight:400}
main{max-width:1120px;margin:0 auto;padding:24px 16px}h1{margin:0 0 16px;font-size:24px}h2{margin:0 0 12px;font-size:18px}h3{margin:16px 0 0;font-size:16px}a{color:var(--accent)}
section,.narrow,.shops{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:20px}.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:16px;align-items:start}
.shops,.asked{list-style:none;margin:0}.asked{padding:0}.shops{padding:0}.shops li+li,.asked li+li{border-top:1px solid var(--line)}.asked li{padding:10px 0}.asked p{margin:4px 0}
.shops a{display:flex;flex-wrap:wrap;gap:2px 16px;padding:12px 20px;color:inherit;text-decoration:none}.shops a:hover strong{text-decoration:underline}.shops strong{flex:1 1 240px}.shops span:not(.tag){color:var(--quiet)}
dl{margin:0}dl div{display:flex;gap:12px;padding:4px 0}dt{flex:0 0 80px;color:var(--quiet)}dd{margin:0;min-width:0;overflow-wrap:anywhere}
.tag{display:inline-block;padding:0 8px;border:1px solid currentcolor;border-radius:6px;font-size:14px;font-weight:400;vertical-align:middle}.bad{color:var(--bad)}.good{color:var(--good)}.quiet{color:var(--quiet)}.text{white-space:pre-wrap}
form{margin:12px 0 0}label{display:grid;gap:4px;margin-bottom:8px}.line{display:flex;gap:8px;align-items:end}.line label{flex:1;margin:0;min-width:0}.narrow{max-width:420px}
input,button,textarea{font:inherit;min-height:44px;border-radius:8px;border:1px solid var(--quiet);padding:6px 12px;background:transparent;color:inherit;min-width:0;width:100%}button{width:auto;flex:none;background:var(--accent);border-color:var(--accent);color:light-dark(#fff,#08201b);cursor:pointer}
ol.asked{list-style:none}.asked img{margin-top:8px;max-width:240px}fieldset{border:1px solid var(--line);border-radius:8px;margin:0 0 8px;padding:4px 12px}.choice{display:inline-flex;gap:8px;align-items:center;min-height:44px;margin:0 16px 0 0}.choice input{width:20px;min-height:20px}
summary{cursor:pointer;padding:10px 0;font-weight:600}img{display:block;max-width:100%;max-height:240px}.logo{max-height:56px}`

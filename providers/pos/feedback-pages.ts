// Feedback as the POS shows it: the list on a shop's page with the form, and one conversation.
import type { Copy, Shop } from './copy.ts'
import { frame, html, type Markup, MOMENT, type Said, saidLine } from './markup.ts'

export type Told = { id: number; title: string; state: string; lastAt: string; unread: boolean }
export type Written = Told & {
  shopId: number
  messages: {
    id: number
    from: 'shop' | 'office' | 'system'
    name: string
    text: string
    pictures: string[]
    at: string
    seen: boolean
    rating: {
      questions: { satisfaction: string; resolution: string }
      satisfaction: string | null
      resolution: string | null
    } | null
  }[]
}
type Message = Written['messages'][number]

const STATES: Record<string, string> = { awaiting: '待回复', replied: '已回复', closed: '已关闭' }
const SATISFACTIONS = { satisfied: '满意', average: '一般', unsatisfied: '不满意' }
const RESOLUTIONS = { resolved: '已解决', unresolved: '未解决' }
const wordOf = (words: Record<string, string>, key: string | null) =>
  key === null ? '' : (words[key] ?? key)
const tagOf = ({ state }: Told) => html`<span class="tag">${STATES[state] ?? state}</span>`

export function feedbackPart(shop: Shop, told: readonly Told[], act: () => string): Markup {
  const rows = told.map(
    one => html`<li><a href="/shops/${shop.id}/feedback/${one.id}"><strong>${one.title}</strong></a> ${tagOf(one)}
${one.unread ? html`<span class="tag good">有新回复</span>` : ''} <span class="quiet">${MOMENT.format(new Date(one.lastAt))}</span></li>`,
  )
  const form =
    shop.status === 'disabled' ? '' : writeForm(`/shops/${shop.id}/feedback`, '写反馈', '提交反馈', act)
  return html`<section><h2>反馈</h2>${rows.length === 0 ? html`<p>还没有反馈</p>` : html`<ul class="asked">${rows}</ul>`}${form}</section>`
}

function writeForm(action: string, label: string, button: string, act: () => string): Markup {
  return html`<form method="post" enctype="multipart/form-data" action="${action}"><input type="hidden" name="act" value="${act()}">
<label>${label} <textarea name="text" rows="3" maxlength="500" required></textarea></label>
<label>图片（jpg、png，最多 5 张，每张 500KB） <input type="file" name="pictures" accept="image/jpeg,image/png" multiple></label>
<button>${button}</button></form>`
}

type View = { shop: Shop; written: Written; said: Said; act: () => string }

export function conversationPage(copy: Copy, { shop, written, said, act }: View): string {
  const address = `/shops/${shop.id}/feedback/${written.id}`
  const isOpen = written.state !== 'closed' && shop.status !== 'disabled'
  const content = html`<p><a href="/shops/${shop.id}">返回${shop.shopName}</a></p>
<h1>${written.title} ${tagOf(written)}</h1>${saidLine(said)}
<section><h2>对话</h2><ol class="asked">${written.messages.map(message => messageOf(message, address, act))}</ol>
${isOpen ? writeForm(`${address}/messages`, '继续回复', '发送', act) : html`<p class="quiet">反馈已关闭，不能再回复</p>`}</section>`
  return frame('反馈', content, copy)
}

function messageOf(message: Message, address: string, act: () => string): Markup {
  const { from, name, text, pictures, at, seen } = message
  const shown = pictures.map(
    (id, n) =>
      html`<a href="/pictures/${id}"><img src="/pictures/${id}" alt="${name}发送的图片 ${n + 1}"></a>`,
  )
  return html`<li><strong>${from === 'shop' ? '我' : name}</strong> <span class="quiet">${MOMENT.format(new Date(at))}
${from === 'shop' ? (seen ? '已读' : '未读') : ''}</span><p class="text">${text}</p>${shown}${ratingOf(message, address, act)}</li>`
}

function ratingOf({ id, rating }: Message, address: string, act: () => string): Markup | string {
  if (rating === null) return ''
  if (rating.satisfaction !== null)
    return html`<p>评价：${wordOf(SATISFACTIONS, rating.satisfaction)}、${wordOf(RESOLUTIONS, rating.resolution)}</p>`
  const choice = (name: string, question: string, words: Record<string, string>) =>
    html`<fieldset><legend>${question}</legend>${Object.entries(words).map(
      ([value, word]) =>
        html`<label class="choice"><input type="radio" name="${name}" value="${value}" required> ${word}</label>`,
    )}</fieldset>`
  return html`<form method="post" enctype="multipart/form-data" action="${address}/rating"><input type="hidden" name="act" value="${act()}">
<input type="hidden" name="message" value="${id}">${choice('satisfaction', rating.questions.satisfaction, SATISFACTIONS)}
${choice('resolution', rating.questions.resolution, RESOLUTIONS)}<button>评价</button></form>`
}

// The page that shows what phones would have got from a simulated SMS service.
import type { SmsStore } from './simulated-sms-store.ts'

const SHOWN_MAX = 200
const OUTCOMES = {
  delivered: '已送达',
  blacklisted: '黑名单',
  failed: '运营商失败',
  silent: '无回执',
  longer: '多计条',
  limited: '超频限',
} as const

const STYLE = `
:root{color-scheme:light dark;--text:#1f2328;--soft:#59636e;--line:#d8dee4;--page:#fff;--bubble:#f3f5f7;--accent:#1558d6}
@media(prefers-color-scheme:dark){:root{--text:#e6edf3;--soft:#9aa4ae;--line:#30363d;--page:#0f1216;--bubble:#1a1f26;--accent:#7aa7ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:14px/1.6 "PingFang SC","Microsoft YaHei","Noto Sans SC",system-ui,sans-serif}
main{max-width:640px;margin:0 auto;padding:16px}
h1{font-size:20px;margin:8px 0}
form{display:flex;gap:8px;margin:8px 0 16px}
input{flex:1;min-width:0;height:44px;padding:0 12px;border:1px solid var(--line);border-radius:6px;background:var(--page);color:inherit;font:inherit}
button{height:44px;padding:0 16px;border:1px solid var(--line);border-radius:6px;background:var(--bubble);color:inherit;font:inherit}
ol{list-style:none;margin:0;padding:0}
li{padding:12px 0;border-top:1px solid var(--line)}
.head{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 12px;color:var(--soft);font-size:12px;font-variant-numeric:tabular-nums}
.head strong{color:var(--text);font-size:14px}
.text{margin:4px 0 0;padding:8px 12px;background:var(--bubble);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere}
.soft{color:var(--soft)}
`

/** `phone`: only messages whose number holds these digits. */
export function inboxRows(store: SmsStore, phone: string) {
  return store
    .inbox()
    .filter(message => message.phone.includes(phone))
    .map(message => ({
      sequence: message.sequence,
      phone: message.phone,
      signature: message.signature,
      text: `【${message.signature}】${message.text}`,
      template: message.call.template,
      segments: message.segments,
      outcome: message.outcome,
      sentAt: new Date(message.sentAtMs).toISOString(),
    }))
}

export function inboxPage(title: string, store: SmsStore, phone: string): string {
  const rows = inboxRows(store, phone).slice(0, SHOWN_MAX)
  const items = rows.map(
    row =>
      `<li><div class="head"><strong>${escapeHtml(row.phone)}</strong><time datetime="${row.sentAt}">${shanghai(row.sentAt)}</time>` +
      `<span>${row.segments} 条</span><span>${OUTCOMES[row.outcome]}</span><span>${escapeHtml(row.template)}</span></div>` +
      `<p class="text">${escapeHtml(row.text)}</p></li>`,
  )
  const empty = phone ? '没有发往该号码的短信' : '还没有短信，发送后会显示在这里'
  return `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>
<p class="soft">模拟短信，不会发到真实手机。共 ${store.taken()} 条，保留最近 1000 条，显示 ${rows.length} 条。</p>
<form><input name="phone" inputmode="numeric" aria-label="手机号" placeholder="手机号" value="${escapeHtml(phone)}"><button>筛选</button></form>
${items.length > 0 ? `<ol>${items.join('')}</ol>` : `<p class="soft">${empty}</p>`}
</main><script>
const seen=${rows[0]?.sequence ?? -1};
setInterval(async()=>{if(document.activeElement.name==='phone'||document.hidden)return;
const{messages}=await(await fetch('inbox.json?limit=1&phone='+encodeURIComponent(${JSON.stringify(phone).replaceAll('<', '\\u003c')}))).json();
if((messages[0]?.sequence??-1)!==seen)location.reload()},3000)
</script></body></html>`
}

function shanghai(iso: string): string {
  return new Date(Date.parse(iso) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)
}

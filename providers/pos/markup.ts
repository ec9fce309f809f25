// What the POS's pages are made with: markup in which everything that is not ours is escaped, and the frame around each.
import type { Copy } from './copy.ts'

export type Said = { text: string; isError: boolean } | null

const ESCAPED: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
export type Part = string | number | Markup | readonly Part[]

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text
  if (typeof part === 'object') return part.map(textOf).join('')
  return String(part).replace(/[&<>"']/g, letter => ESCAPED[letter] as string)
}
export const html = (strings: TemplateStringsArray, ...parts: Part[]) =>
  new Markup(String.raw({ raw: strings }, ...parts.map(textOf)))

export const MOMENT = new Intl.DateTimeFormat('zh-CN', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Asia/Shanghai',
})

export function frame(title: string, content: Part, copy: Copy): string {
  const { problem } = copy.standing()
  return html`<!doctype html>
<html lang="zh-CN">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · 示例收银系统</title><link rel="stylesheet" href="/pos.css"><link rel="icon" href="data:,"></head>
<body><header><a href="/">示例收银系统</a><nav><a href="/">店铺</a><a href="/sign-in">店铺登录</a></nav></header>
<main>${problem === '' ? '' : html`<p class="bad" role="alert">暂时无法读取后台，以下为本机保存的内容：${problem}</p>`}
${content}</main></body></html>`.text
}

export const saidLine = (said: Said) =>
  said
    ? html`<p class="${said.isError ? 'bad' : 'good'}" role="${said.isError ? 'alert' : 'status'}">${said.text}</p>`
    : ''

// The HTML of the program's own page: one file without anything of the outside, so that it stands in the program itself.

export const SHELL = `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>打印程序</title>
<style>
:root { color-scheme: light dark; --line: #8884; --muted: #6b7280; --accent: #1f6feb }
@media (prefers-color-scheme: dark) { :root { --muted: #9aa4b2; --accent: #6ea8fe } }
body { max-width: 720px; margin: 0 auto; padding: 24px 16px 48px; font: 15px/1.6 system-ui, "PingFang SC", "Microsoft YaHei", sans-serif }
h1 { font-size: 22px; margin: 0 } h2 { font-size: 16px; margin: 32px 0 8px } p { margin: 4px 0 }
small, .quiet { color: var(--muted) }
ul { list-style: none; margin: 0; padding: 0 }
li, .row { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 16px; padding: 12px 0 }
li { border-bottom: 1px solid var(--line) }
.row > div { min-width: 0; overflow-wrap: anywhere } .row > div:last-child { display: flex; gap: 8px; flex-wrap: wrap }
button, select { min-height: 40px; padding: 0 14px; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: inherit; font: inherit; cursor: pointer }
button.first { background: var(--accent); border-color: var(--accent); color: Canvas }
.ask { padding: 12px 16px; border: 2px solid var(--accent); border-radius: 12px; margin-top: 12px }
.code { font-size: 28px; font-weight: 700; letter-spacing: 4px }
pre { margin: 0; padding: 12px; border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px }
#problem { color: #d1242f } #problem:empty { display: none }
</style></head><body>
<h1>打印程序</h1><div id="version" aria-live="polite"></div><p id="problem" role="alert"></p>
<div id="asks" aria-live="polite"></div>
<h2>后台</h2><ul id="offices"></ul>
<h2>打印机</h2><ul id="printers"></ul>
<h2>在这台电脑上找到的打印机</h2><ul id="found"></ul>
<h2>记录</h2><pre id="log"></pre>
<script>
const key = location.hash.slice(1)
const at = id => document.getElementById(id)
const make = (tag, text, more) => Object.assign(document.createElement(tag), { textContent: text }, more)
const quiet = text => make('li', text, { className: 'quiet' })
let last = ''
let program = ''
const tell = text => { at('problem').textContent = text }
async function ask(deed) {
  let answer
  try {
    answer = await fetch('/own', { method: deed ? 'POST' : 'GET', headers: { authorization: 'Bearer ' + key }, body: deed && JSON.stringify(deed) })
  } catch { return tell('打印程序没有在运行，请双击它的图标启动') }
  const state = await answer.json()
  if (!answer.ok) return tell(state.problem)
  tell('')
  const text = JSON.stringify(state)
  if (text !== last) { last = text; show(state) }
}
function row(name, help, deeds, tag = 'li') {
  const words = make('div', '')
  words.append(make('div', name), make('small', help))
  const side = make('div', '')
  side.append(...deeds)
  const line = make(tag, '', { className: 'row' })
  line.append(words, side)
  return line
}
const button = (text, deed, more) => make('button', text, { type: 'button', onclick: () => ask(deed()), ...more })
function show(state) {
  // A newer program has a page of its own.
  if (program && program !== state.program) return location.reload()
  program = state.program
  const { update } = state
  const choices = update && !update.busy ? [button('检查更新', () => ({ deed: 'update' }))] : []
  if (update && !update.busy && update.previous) choices.push(button('换回 ' + update.previous, () => ({ deed: 'back' })))
  at('version').replaceChildren(row('正在运行，版本 ' + state.program,
    update ? update.said : '新版本要在后台的“打印设置”里下载', choices, 'div'))
  at('asks').replaceChildren(...state.asks.map(one => {
    const box = make('section', '', { className: 'ask' })
    const deeds = make('p', '')
    deeds.append(
      button('允许', () => ({ deed: 'decide', id: one.id, allows: true }), { className: 'first' }), ' ',
      button('拒绝', () => ({ deed: 'decide', id: one.id, allows: false })))
    box.append(make('p', one.office + '（' + one.origin + '）请求在这台电脑上打印'), make('p', one.code, { className: 'code' }),
      make('p', '与后台页面上的数字相同，才点允许。', { className: 'quiet' }), deeds)
    return box
  }))
  at('offices').replaceChildren(...(state.offices.length
    ? state.offices.map(one => row(one.office || one.origin, one.origin, []))
    : [quiet('还没有配对。在后台打开“打印设置”，点“请求配对”，再回到这里点允许。')]))
  at('printers').replaceChildren(...(state.printers.length
    ? state.printers.map(one => row(one.name, one.place + ' · ' + state.languages[one.language] + ' · ' + one.state + (one.waiting ? ' · ' + one.waiting + ' 个任务在等' : ''),
      [button('移除', () => ({ deed: 'remove', id: one.id }), { ariaLabel: '移除 ' + one.name })]))
    : [quiet('还没有打印机，从下面添加。')]))
  at('found').replaceChildren(...(state.found.length
    ? state.found.map(one => {
      const choice = make('select', '', { ariaLabel: '打印语言 ' + one.name })
      choice.append(...Object.entries(state.languages)
        .filter(([value]) => value !== 'pdf' || one.way === 'cups')
        .map(([value, text]) => make('option', text, { value, selected: value === one.language })))
      return row(one.name, one.place, [choice,
        button('添加', () => ({ deed: 'add', way: one.way, place: one.place, language: choice.value }), { ariaLabel: '添加 ' + one.name })])
    })
    : [quiet('没有别的打印机。接上并打开打印机的电源，在系统里装好后会自动出现。')]))
  at('log').textContent = state.log.join('\\n') || '还没有记录'
}
void ask()
setInterval(() => void ask(), 2000)
</script></body></html>
`

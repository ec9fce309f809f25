// What people see of the simulated platform: an owner who authorises, and a legal person before the camera.
import type { SimAnswer } from '../simulator.ts'
import type { Account, RegistrationTask } from './simulator-book.ts'

const SCOPE_NAMES: Readonly<Record<number, string>> = {
  17: '帐号管理权限',
  18: '开发管理与数据分析权限',
  19: '客服消息管理权限',
  25: '开放平台帐号管理权限',
  30: '小程序基本信息设置权限',
  37: '附近的小程序权限',
  40: '小程序插件管理权限',
  49: '云开发管理权限',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, character => `&#${character.codePointAt(0) ?? 0};`)

export function page(title: string, body: string, status = 200): SimAnswer {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>body{font:16px/1.6 sans-serif;max-width:34rem;margin:2rem auto;padding:0 1rem}button{font:inherit;min-height:44px;padding:0 1.5rem;margin:.5rem .5rem 0 0}label{display:block;padding:.4rem 0}fieldset{margin:1rem 0}</style>
<h1>${escaped(title)}</h1>${body}</html>`,
  }
}

export const problemPage = (words: string) => page('无法授权', `<p role="alert">${escaped(words)}</p>`, 400)

/** Chooses the account, a personal one among them, and the scopes. */
export function authorizePage(action: string, accounts: readonly Account[]): SimAnswer {
  const choices = accounts
    .map(
      ({ appid, nick, principalName }, place) =>
        `<label><input type="radio" name="appid" value="${appid}"${place === 0 ? ' checked' : ''}> ${escaped(nick.value || '（未设置名称）')}，主体：${escaped(principalName)}</label>`,
    )
    .join('')
  const scopes = Object.entries(SCOPE_NAMES)
    .map(([id, name]) => `<label><input type="checkbox" name="scope" value="${id}" checked> ${name}</label>`)
    .join('')
  return page(
    '小程序授权（模拟）',
    `<form method="post" action="${escaped(action)}"><fieldset><legend>选择小程序</legend>${choices}</fieldset>
<fieldset><legend>授权的权限</legend>${scopes}</fieldset><button>授权</button></form>`,
  )
}

const STATES = { face: '等待人脸核身', checking: '微信校验中', done: '注册成功', failed: '注册失败' }

/** `words`: what the last press came to. */
export function facePage(tasks: readonly RegistrationTask[], words = ''): SimAnswer {
  const one = (task: RegistrationTask) =>
    `<section><h2>${escaped(task.name)}</h2><p>法人 ${escaped(task.legalName)}（${escaped(task.wechat)}）：${STATES[task.state]}</p>${
      task.state === 'face'
        ? `<form method="post" action="/__sim/face"><input type="hidden" name="task" value="${task.id}"><button name="outcome" value="pass">人脸核身通过</button><button name="outcome" value="fail">人脸核身不通过</button></form>`
        : ''
    }</section>`
  const list = tasks.length === 0 ? '<p>没有注册任务</p>' : tasks.toReversed().map(one).join('')
  return page('法人人脸核身（模拟）', `${words && `<p role="status">${escaped(words)}</p>`}${list}`)
}

// Canned replies that a fresh database offers; ${shop}, ${person} and ${me} are filled where one is chosen.

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['收到，处理中', '\u0024{person}您好，您的反馈已收到，我们正在处理，有结果会第一时间回复您。'],
  ['请补充截图', '\u0024{person}您好，为便于定位问题，请补充出现问题的时间、操作步骤和完整截图。'],
  ['请升级版本', '您好，该问题在最新版本中已修复，请\u0024{shop}升级收银软件后再试，如仍有问题请继续回复。'],
  ['已列入需求', '感谢\u0024{shop}的建议，已列入需求，上线后会通知您。'],
  ['问题已处理', '\u0024{person}您好，问题已处理，请确认是否恢复正常。— \u0024{me}'],
]

export const THREAD_ANSWERS = TEXTS.map(([name, text], position) => ({
  id: position + 1,
  name,
  text,
  position,
}))

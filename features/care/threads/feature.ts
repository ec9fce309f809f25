import { permissionNodes } from '#kit/declare/permission.ts'
import type { EditedTable } from '#server/ctx.ts'
import { type Feature, rowsOf } from '#server/feature.ts'
import { threads as contract } from './contract.ts'
import { threadsAtPos } from './contract-pos.ts'
import { THREAD_ANSWERS } from './reference.ts'
import {
  ANSWER_PLACES,
  THREAD_HOURS,
  THREAD_LIMITS,
  THREAD_MESSAGES_PER_DAY,
  THREAD_PICTURE_KB,
  THREADS_PER_DAY,
} from './rules.ts'
import { threadsRouter as router } from './server.ts'
import { allThreadsDownload, THREAD_FILES, threadsDownload } from './server-files.ts'
import { inbox } from './server-inbox.ts'
import { threadsPosRouter } from './server-pos.ts'
import { threadAnswers } from './tables.ts'

const PLACES = ANSWER_PLACES.map(({ name, label }) => `\u0024{${name}}（${label}）`).join('、')

const ANSWER_TABLE: EditedTable = {
  key: 'thread-answers',
  title: '常用回复',
  about: `回复商户反馈和工单时可以直接选用的话，发送前可以修改。可用占位符：${PLACES}，选用时自动换成实际内容。`,
  table: threadAnswers,
  id: threadAnswers.id,
  named: 'name',
  fields: {
    name: { kind: 'text', label: '名称', max: THREAD_LIMITS.answerName, required: true },
    text: { kind: 'text', label: '内容', max: THREAD_LIMITS.text, required: true, rows: 4 },
  },
  adds: true,
  orders: true,
  retires: true,
  imports: true,
  uses: [],
}

const LIST = '/admin/help/feedback'
const ALL = '/admin/help/feedbackList'

export const feature = {
  contract,
  router,
  pos: { contract: threadsAtPos, router: threadsPosRouter },
  downloads: { list: threadsDownload, all: allThreadsDownload },
  permissions: permissionNodes([
    [740, null, 76, 'help', '帮助与反馈', '', '1'],
    [741, 740, 1, 'threads.list', '商户反馈', LIST, '1'],
    [742, 741, 2, 'threads.reply', '回复和关闭反馈', `${LIST}#reply`, '1'],
    [743, 741, 3, 'threads.reopen', '重新打开反馈', `${LIST}#reopen`, '1'],
    [744, 741, 4, 'threads.export', '导出商户反馈', `${LIST}#export`, '1'],
    [745, 740, 5, 'threads.all', '客户反馈列表', ALL, '888'],
    [746, 745, 6, 'threads.exportAll', '导出客户反馈', `${ALL}#export`, '888'],
  ]),
  reference: [rowsOf(threadAnswers, THREAD_ANSWERS)],
  edited: [ANSWER_TABLE],
  inbox,
  settings: [THREAD_PICTURE_KB, THREADS_PER_DAY, THREAD_MESSAGES_PER_DAY, THREAD_HOURS],
  files: THREAD_FILES,
  clearing: [{ table: 'thread_presence', at: 'seen_at', after: { days: 1 } }],
} satisfies Feature

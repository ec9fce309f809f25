// The files of threads: what pictures are for, and what their lists are written as.
import { fileColumns, serveDownload } from '#server/documents/export.ts'
import type { FilePurposes } from '#server/files.ts'
import { threadsDownloads } from './contract.ts'
import { ALL_THREADS, THREADS } from './fields.ts'
import { THREAD_PICTURE, THREAD_PICTURE_KB } from './rules.ts'
import { allConditions, ownConditions, ROW, selectForFile } from './server-rows.ts'

export const THREAD_FILES: FilePurposes = {
  [THREAD_PICTURE]: {
    permission: 'threads.reply',
    log: '上传反馈图片',
    shared: false,
    most: THREAD_PICTURE_KB,
    usedBy: [{ table: 'thread_pictures', column: 'file_id' }],
  },
}

export const threadsDownload = serveDownload(threadsDownloads.list, (ctx, { columns, ...filters }) => ({
  ...selectForFile(ctx, ownConditions(ctx, filters), filters),
  ...fileColumns(THREADS, ROW, columns),
}))

export const allThreadsDownload = serveDownload(threadsDownloads.all, (ctx, { columns, ...filters }) => ({
  ...selectForFile(ctx, allConditions(ctx, filters), filters),
  ...fileColumns(ALL_THREADS, ROW, columns),
}))
